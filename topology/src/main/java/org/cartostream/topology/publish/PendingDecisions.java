package org.cartostream.topology.publish;

import java.util.HashMap;
import java.util.Map;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.stream.Payload;

/**
 * The resampling decisions on key frames that are not entered into a run's paths yet. A decision
 * may come before its key frame or after it, out of order, and more than once.
 *
 * <p>Owns the decisions, and the number of the latest key frame that has entered.
 */
final class PendingDecisions {

  /** Decisions by key frame; not saved, as they are sent again after a restore. */
  private transient Map<Long, Payload.ResamplingResult> decided = new HashMap<>();

  private long latest;

  /**
   * Completes the object after it was decoded, see {@link org.cartostream.checkpoint.StateCodec}.
   */
  private Object readResolve() {
    decided = new HashMap<>();
    return this;
  }

  void add(Payload.ResamplingResult resamplingResult) {
    long sequence = resamplingResult.resampling().sequence();
    if (sequence > latest) {
      decided.put(sequence, resamplingResult);
    }
  }

  /** Drops the decision on a reading that will not come. */
  void drop(long sequence) {
    decided.remove(sequence);
  }

  /** Returns true if the reading is no key frame, or the decision on it has come. */
  boolean has(Step step) {
    return !step.keyFrame() || decided.containsKey(step.sequence());
  }

  /**
   * Takes out the decision on a key frame that enters the paths.
   *
   * @throws IllegalStateException if there is a decision on an earlier key frame, which was never
   *     entered
   */
  Payload.ResamplingResult take(Step keyFrame) {
    Payload.ResamplingResult resamplingResult = decided.remove(keyFrame.sequence());
    for (long sequence : decided.keySet()) {
      if (sequence < keyFrame.sequence()) {
        throw new IllegalStateException("reading " + sequence + " is missing on the paths");
      }
    }
    latest = keyFrame.sequence();
    return resamplingResult;
  }
}
