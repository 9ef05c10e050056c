package org.cartostream.topology.match;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.FailedReadingException;

/**
 * The choice of a thread for the work on one run's key frames: the task's own, or another one if
 * other robots would have to wait for it. What comes for the run waits meanwhile; what is done, and
 * in which order, is the same.
 *
 * <p>Owns how large the run's maps were when they were counted last.
 */
final class KeyFrameOffload {

  /** More beams times particles take longer than some readings of other robots. */
  private static final int LARGE = 20_000;

  /** Size of maps from which on it takes milliseconds to look at all tiles, bytes. */
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

  /** The run's maps take so much here. */
  void counted(long bytes) {
    mapBytes = bytes;
  }

  /** True if what is done with a key frame is large. */
  boolean isLarge(Step step, int particles) {
    return mapBytes > LARGE_MAPS || (long) step.scan().beams() * particles > LARGE;
  }

  /**
   * Does something with a key frame.
   *
   * @param isLarge true if another thread does it
   * @param then takes in the task's own thread what it gave
   */
  <T> void work(boolean isLarge, Step step, Supplier<T> work, Consumer<T> then) {
    if (isLarge) {
      offloader.offload(run, () -> FailedReadingException.naming(step.sequence(), work), then);
    } else {
      then.accept(work.get());
    }
  }
}
