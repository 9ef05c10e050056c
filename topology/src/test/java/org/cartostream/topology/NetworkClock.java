package org.cartostream.topology;

import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The time of a {@link Network}: it passes as a test says, and a little, drawn by chance, where
 * work is measured.
 */
final class NetworkClock {

  /** Between two looks at the clock; a piece of work is several. */
  private static final int MAX_MEASURED_NANOS = 200_000;

  private final Random measuring;
  private long nanos;
  private long measuredNanos;
  private long encodingReads;
  private long encodingNanos;
  private int failedEncodings;

  NetworkClock(long seed) {
    measuring = new Random(seed);
  }

  long nanos() {
    return nanos;
  }

  /** Time passes; no bolt is told so, as if their process were stopped. */
  void pass(int seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  /**
   * Read when a task begins to do something, and when it has ended: how long that took is drawn by
   * chance, so that a seed gives the same balance of load, and the same order, each time.
   */
  long measured() {
    measuredNanos += measuring.nextInt(MAX_MEASURED_NANOS);
    return nanos + measuredNanos;
  }

  /** From now on a task encodes its part of a checkpoint for so long. */
  void encodeFor(double seconds) {
    encodingNanos = (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  /** The next so many pieces of work of other threads that encode a state throw. */
  void failEncodings(int count) {
    failedEncodings = count;
  }

  /** Read when a task begins to encode, and when it has ended. */
  long encoding() {
    if (failedEncodings > 0) {
      failedEncodings--;
      throw new OutOfMemoryError("in a test");
    }
    return ++encodingReads * encodingNanos;
  }

  /** How many parts of checkpoints were encoded. */
  double encodings() {
    return encodingReads / 2.0;
  }
}
