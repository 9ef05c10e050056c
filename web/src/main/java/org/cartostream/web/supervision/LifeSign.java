package org.cartostream.web.supervision;

import java.util.concurrent.TimeUnit;

/** State of a process or task by the age of its last heartbeat: here, late or gone. */
public enum LifeSign {
  /** The process has given a life sign a moment ago. */
  HERE,
  /** The process has given none for longer than three heartbeats. */
  LATE,
  /** The process has given none for so long that it is taken to have ended. */
  GONE;

  static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  /**
   * Silence after which a process is taken to have ended, nanoseconds: from afar one that has died
   * and one that stands look alike.
   */
  static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(6);

  static LifeSign ofSilence(long nanos) {
    if (nanos > GONE_NANOS) {
      return GONE;
    }
    return nanos > LATE_NANOS ? LATE : HERE;
  }
}
