package org.cartostream.topology.match;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.FailedReadingException;

/**
 * The choice of a thread for the work on one run's key frames: the task's own, or another one if
 * other robots would have to wait for long. While another thread works, messages for the run wait;
 * the work and its order are the same in both cases.
 *
 * <p>Owns the size of the run's maps when it was counted last.
 */
final class KeyFrameOffload {

  /**
   * Number of beams times particles from which a key frame counts as large, as other robots'
   * readings would wait.
   */
  private static final int LARGE = 20_000;

  /**
   * Size of maps from which a key frame counts as large, bytes: iterating over all tiles then takes
   * milliseconds.
   */
  private static final long LARGE_MAPS = 16 << 20;

  /** Executes work on a run's state in another thread. */
  interface Offloader {
    <T> void offload(Run run, Supplier<T> work, Consumer<T> then);
  }

  private final Run run;
  private final Offloader offloader;
  private long mapBytes;

  KeyFrameOffload(Run run, Offloader offloader) {
    this.run = run;
    this.offloader = offloader;
  }

  /** Notes the size of the run's maps on this task, bytes. */
  void counted(long bytes) {
    mapBytes = bytes;
  }

  /** Returns true if the work on a key frame is large. */
  boolean isLarge(Step step, int particles) {
    return mapBytes > LARGE_MAPS || (long) step.scan().beams() * particles > LARGE;
  }

  /**
   * Runs work on a key frame.
   *
   * @param isLarge true if another thread runs it
   * @param then takes the work's result, in the task's own thread
   */
  <T> void work(boolean isLarge, Step step, Supplier<T> work, Consumer<T> then) {
    if (isLarge) {
      offloader.offload(run, () -> FailedReadingException.naming(step.sequence(), work), then);
    } else {
      then.accept(work.get());
    }
  }
}
