package org.cartostream.ros.rtps.wire;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** A duration (9.3.2.2), as nanoseconds: seconds, and a fraction in units of 2^-32 s. */
public final class RtpsDuration {

  public static final long INFINITE = Long.MAX_VALUE;

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private RtpsDuration() {}

  /** Reads a duration, nanoseconds. */
  static long read(ByteBuffer in) {
    int seconds = in.getInt();
    long fraction = Integer.toUnsignedLong(in.getInt());
    return seconds == Integer.MAX_VALUE
        ? INFINITE
        : seconds * SECOND + (fraction * SECOND >>> Integer.SIZE);
  }

  /** Returns the seconds and the fraction of a duration of {@code nanos} nanoseconds. */
  public static int[] of(long nanos) {
    return nanos == INFINITE
        ? new int[] {Integer.MAX_VALUE, -1}
        : new int[] {(int) (nanos / SECOND), (int) ((nanos % SECOND << Integer.SIZE) / SECOND)};
  }
}
