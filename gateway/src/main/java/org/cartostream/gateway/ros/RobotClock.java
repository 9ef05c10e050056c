package org.cartostream.gateway.ros;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.ros.tf.TransformBuffer;
import org.cartostream.gateway.session.ServiceClock;

/**
 * Estimator of the offset of the robot's clock from this computer's, by the stamps of its messages.
 * {@link ServiceClock} compares this computer's clock with the service's.
 *
 * <p>A message is on its way for some unknown time, never less than none. So stamp minus arrival is
 * the skew less the delay, and the greatest of many such differences comes nearest to the skew (as
 * in D. Mills, Internet time synchronization, 1991, section 4: the sample of least delay is the
 * best).
 *
 * <p>A difference that lies far below the greatest is of a clock that was set back, as by a
 * simulation or a bag that starts anew, or that stood still, as in a simulation that was halted; or
 * it is an outlier. It counts when for a second nothing else has come.
 *
 * <p>In a simulation time may go more slowly than here. Then the greatest difference is an old one,
 * and the newest stamp is what the clock shows.
 *
 * <p>Owns the greatest difference of this and of the previous window, the newest stamp, and the
 * doubt whether they still hold; thread-safe.
 */
final class RobotClock {

  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A clock counts as set back when no stamp has contradicted it for this long, nanoseconds. */
  private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A clock that has sent no stamp for this long, nanoseconds, may have been halted. */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * Time by which the newest message may have been longer on its way than the quickest,
   * nanoseconds.
   */
  private static final long LATENESS_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  /** A skew that is smaller may as well be the delay of the messages. */
  private static final long NOTABLE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** A clock that is off by more is none: simulated time, or a clock that was never set. */
  private static final long ABSURD_NANOS = TimeUnit.DAYS.toNanos(365);

  private static final long REMIND_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final long NOTHING = Long.MIN_VALUE;

  private final ServiceClock service;
  private long windowStart = NOTHING;
  private long greatest = NOTHING;
  private long greatestBefore = NOTHING;
  private long lastArrived = NOTHING;
  private long doubtedSince = NOTHING;
  private long newestStamp = NOTHING;
  private long newestArrived;
  private int setBacks;
  private long saidAt = NOTHING;

  /**
   * @param service what is known of the service's clock
   */
  RobotClock(ServiceClock service) {
    this.service = service;
  }

  /**
   * A message came.
   *
   * @param stampNanos by the robot's clock; 0 is no stamp, but a field that was left empty
   * @param arrivedNanos by this computer's
   */
  synchronized void onStamp(long stampNanos, long arrivedNanos) {
    if (stampNanos == 0) {
      return;
    }
    lastArrived = arrivedNanos;
    long ahead = stampNanos - arrivedNanos;
    boolean doubtful = isKnown() && ahead < skewNanos() - TransformBuffer.KEPT_NANOS;
    if (doubtful && doubtedSince == NOTHING) {
      doubtedSince = arrivedNanos;
    }
    if (doubtful && arrivedNanos - doubtedSince < DOUBT_NANOS) {
      return;
    }
    if (doubtful) { // No longer: it is set back.
      greatest = NOTHING;
      windowStart = NOTHING;
      newestStamp = NOTHING;
      setBacks++;
    }
    doubtedSince = NOTHING;
    if (windowStart == NOTHING || arrivedNanos - windowStart > WINDOW_NANOS) {
      greatestBefore = greatest;
      greatest = NOTHING;
      windowStart = arrivedNanos;
    }
    greatest = Math.max(greatest, ahead);
    if (stampNanos > newestStamp) {
      newestStamp = stampNanos;
      newestArrived = arrivedNanos;
    }
  }

  /** True if something came. */
  synchronized boolean isKnown() {
    return greatest != NOTHING;
  }

  /**
   * True if {@link #robotNanos} is near what the robot's clock shows: something came lately, and
   * nothing that speaks of a clock that was set back.
   */
  synchronized boolean isSure(long hereNanos) {
    return isKnown() && doubtedSince == NOTHING && hereNanos - lastArrived <= SILENCE_NANOS;
  }

  /** Nanoseconds by which it is ahead of this computer's; 0 as long as nothing came. */
  synchronized long skewNanos() {
    return greatest == NOTHING ? 0 : Math.max(greatest, greatestBefore);
  }

  /**
   * Returns what the robot's clock shows when this computer's shows {@code hereNanos}, or less: a
   * clock that goes slowly may make it fall back a little when a message comes.
   */
  synchronized long robotNanos(long hereNanos) {
    long bySkew = hereNanos + skewNanos();
    return newestStamp == NOTHING
        ? bySkew
        : Math.min(bySkew, newestStamp + (hereNanos - newestArrived) + LATENESS_NANOS);
  }

  /** Number of times it was set back, so that its stamps begin anew. */
  synchronized int setBacks() {
    return setBacks;
  }

  /**
   * Nanoseconds by which it is ahead of the service's, or of this computer's as long as the service
   * has not answered.
   */
  long reportedNanos() {
    return skewNanos() - service.skewNanos().orElse(0);
  }

  /** True if people should know of the skew. */
  boolean isNotable() {
    return Math.abs(reportedNanos()) >= NOTABLE_NANOS;
  }

  /**
   * True if it is time to say so: not more often than once a minute.
   *
   * @param nanoTime now, by {@link System#nanoTime}
   */
  synchronized boolean isToBeSaid(long nanoTime) {
    boolean due = saidAt == NOTHING || nanoTime - saidAt > REMIND_NANOS;
    if (isKnown() && isNotable() && due) {
      saidAt = nanoTime;
      return true;
    }
    return false;
  }

  /** The skew in plain words. */
  String sentence() {
    long skew = reportedNanos();
    String whose = service.skewNanos().isPresent() ? "the service's" : "this computer's";
    if (!isKnown()) {
      return "The robot has not sent a stamp yet";
    }
    if (Math.abs(skew) > ABSURD_NANOS) {
      return "The robot's stamps are not of this time: simulated time, or a clock never set";
    }
    double seconds = Math.abs(skew) / (double) TimeUnit.SECONDS.toNanos(1);
    if (!isNotable()) {
      return "The robot's clock and " + whose + " agree";
    }
    return String.format(
        Locale.ROOT,
        "The robot's clock is %.1f s %s %s",
        seconds,
        skew > 0 ? "ahead of" : "behind",
        whose);
  }
}
