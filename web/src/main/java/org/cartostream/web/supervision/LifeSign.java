package org.cartostream.web.supervision;

import java.util.concurrent.TimeUnit;

/** State of a process or task by the age of its last heartbeat: here, late or gone. */
public enum LifeSign {
  /** The latest heartbeat came a moment ago. */
  HERE,
  /** No heartbeat has come for longer than three of its periods. */
  LATE,
  /** No heartbeat has come for so long that the process is taken to have ended. */
  GONE;

  static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  /**
   * Silence after which a process is taken to have ended, nanoseconds. From afar a dead process and
   * one that stands still look alike.
   */
  static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(6);

  static LifeSign ofSilence(long nanos) {
    if (nanos > GONE_NANOS) {
      return GONE;
    }
    return nanos > LATE_NANOS ? LATE : HERE;
  }
}
