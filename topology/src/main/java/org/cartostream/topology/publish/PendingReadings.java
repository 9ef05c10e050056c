package org.cartostream.topology.publish;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.stream.LostMessageException;
import org.cartostream.topology.stream.Payload;

/**
 * The admitted readings of a run that its publisher has not answered yet.
 *
 * <p>Owns those that are open, by number, which is the order of admission, and the greatest number
 * that was admitted.
 */
final class PendingReadings {

  private final NavigableMap<Long, PendingReading> open = new TreeMap<>();
  private final LongConsumer notedIsAnswered;
  private long latestAdmitted;

  /**
   * @param latestAdmitted number of the latest reading that was admitted before; 0 for none
   * @param notedIsAnswered takes the number of a noted reading that is answered
   */
  PendingReadings(long latestAdmitted, LongConsumer notedIsAnswered) {
    this.latestAdmitted = latestAdmitted;
    this.notedIsAnswered = notedIsAnswered;
  }

  /** A reading was admitted. */
  void admit(Payload.Admitted message) {
    Step step = message.step();
    open.put(step.sequence(), new PendingReading(step, message.isNoted()));
    latestAdmitted = step.sequence();
  }

  /**
   * The first reading of which nothing is known, of those after the latest that was admitted.
   *
   * @param to the last of them
   * @param answered whether a reading was answered, and so known
   * @return 0 if something is known of all
   */
  long firstUnknown(long to, LongPredicate answered) {
    for (long each = latestAdmitted + 1; each <= to; each++) {
      if (!answered.test(each)) {
        return each;
      }
    }
    return 0;
  }

  /** The greatest number that was admitted; 0 if none was. */
  long latestAdmitted() {
    return latestAdmitted;
  }

  /** True if a reading up to this one is open. */
  boolean isOpenTo(long sequence) {
    return !open.isEmpty() && open.firstKey() <= sequence;
  }

  /** True if nothing is open. */
  boolean isEmpty() {
    return open.isEmpty();
  }

  /** All that is open, in its order. */
  List<PendingReading> open() {
    return List.copyOf(open.values());
  }

  /** A reading that is open; null if it is not. */
  PendingReading open(long sequence) {
    return open.get(sequence);
  }

  /**
   * A reading is answered.
   *
   * @return null if it was not open
   */
  PendingReading close(long sequence) {
    PendingReading closed = open.remove(sequence);
    if (closed != null && closed.isNoted()) {
      notedIsAnswered.accept(sequence);
    }
    return closed;
  }

  /**
   * The dispatcher says of each in its turn that it is served, and before all that follows.
   *
   * @throws LostMessageException if it has not of one up to this number
   */
  void requireServedTo(long sequence) {
    for (PendingReading reading : open()) {
      if (reading.sequence() <= sequence && !reading.isServed()) {
        throw new LostMessageException(
            "it is not known when reading " + reading.sequence() + " was served");
      }
    }
  }

  /**
   * @param now by the publisher's clock
   * @param decided whether the decision on a reading has come
   * @throws LostMessageException if a decision does not come, without which no path goes on
   */
  void requireDecisions(int seconds, long now, Predicate<Step> decided) {
    for (PendingReading reading : open()) {
      if (reading.lacksDecision(seconds, now) && !decided.test(reading.step())) {
        throw new LostMessageException(
            "the decision on reading "
                + reading.sequence()
                + " did not come within "
                + seconds
                + " s after all tasks were done with it");
      }
    }
  }
}
