package org.cartostream.gateway.ros;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.ros.tf.TransformBuffer;
import org.cartostream.gateway.session.ServiceClockOffset;

/**
 * Estimator of the offset of the robot's clock from this computer's, by the stamps of its messages.
 * {@link ServiceClockOffset} compares this computer's clock with the service's.
 *
 * <p>A message is on its way for some unknown time, never less than none. So stamp minus arrival is
 * the skew less the delay, and the greatest of many such differences comes nearest to the skew (as
 * in D. Mills, Internet time synchronization, 1991, section 4: the sample of least delay is the
 * best).
 *
 * <p>A difference far below the greatest means that the clock was set back (by a simulation or a
 * bag that starts anew) or stood still (in a halted simulation), or that the message is an outlier.
 * The difference counts once all messages of a second agree with it.
 *
 * <p>Simulated time may go more slowly than real time. Then the greatest difference is out of date,
 * and the newest stamp is the best estimate of the clock.
 *
 * <p>Owns the greatest difference of this and of the previous window, the newest stamp, and the
 * time since when a set-back is suspected. Thread-safe.
 */
final class RobotClock {

  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A clock counts as set back when no stamp has contradicted it for this long, nanoseconds. */
  private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A clock that has sent no stamp for this long, nanoseconds, may have been halted. */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Maximum assumed delay of the newest message beyond that of the quickest, nanoseconds. */
  private static final long LATENESS_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  /** Least skew that is reported, nanoseconds; a smaller one may be the delay of messages. */
  private static final long NOTABLE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * Greatest skew that is reported as a number, nanoseconds; a greater one means simulated time or
   * a clock that was never set.
   */
  private static final long ABSURD_NANOS = TimeUnit.DAYS.toNanos(365);

  private static final long REMIND_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final long NOTHING = Long.MIN_VALUE;

  private final ServiceClockOffset service;
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
   * @param service estimate of the service's clock
   */
  RobotClock(ServiceClockOffset service) {
    this.service = service;
  }

  /**
   * Takes the stamp of a message that has come.
   *
   * @param stampNanos stamp by the robot's clock, nanoseconds; 0 for a field that was left empty
   * @param arrivedNanos time of arrival by this computer's clock, nanoseconds
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

  /** True if a stamp has come. */
  synchronized boolean isKnown() {
    return greatest != NOTHING;
  }

  /**
   * True if {@link #robotNanos} is near what the robot's clock shows: a stamp came lately, and no
   * stamp since suggests that the clock was set back.
   */
  synchronized boolean isSure(long hereNanos) {
    return isKnown() && doubtedSince == NOTHING && hereNanos - lastArrived <= SILENCE_NANOS;
  }

  /** Returns the robot's clock minus this computer's, nanoseconds; 0 before the first stamp. */
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

  /** Returns how often the robot's clock was set back. */
  synchronized int setBacks() {
    return setBacks;
  }

  /**
   * Returns the robot's clock minus the service's, nanoseconds; minus this computer's before the
   * service's first answer.
   */
  long reportedNanos() {
    return skewNanos() - service.skewNanos().orElse(0);
  }

  /** True if people should know of the skew. */
  boolean isNotable() {
    return Math.abs(reportedNanos()) >= NOTABLE_NANOS;
  }

  /**
   * True if the skew is to be logged now: at most once a minute.
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

  /** Returns a sentence for people about the skew. */
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
