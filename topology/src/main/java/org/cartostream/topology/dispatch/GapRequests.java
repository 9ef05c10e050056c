package org.cartostream.topology.dispatch;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Decides when a run's robot is asked for readings that are missing: they may still be on their
 * way, so it is when they are missing at two ticks, and again while they do not come.
 */
final class GapRequests {

  /** Seconds from one request to the next. */
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private Optional<ReadingLedger.Gap> latest = Optional.empty();
  private long askedAt = Long.MIN_VALUE / 2;

  /** What is to be said of readings that will never come. */
  static String lost(long first, long last) {
    return "Readings %d to %d are lost: the service has not had them, and the robot's side has them no more"
        .formatted(first, last);
  }

  /**
   * What is to be asked for at this tick.
   *
   * @param gap what is missing
   * @param now by the dispatcher's clock
   */
  Optional<ReadingLedger.Gap> due(Optional<ReadingLedger.Gap> gap, long now) {
    boolean isDue = gap.isPresent() && gap.equals(latest) && now - askedAt >= AGAIN_NANOS;
    if (!gap.equals(latest)) {
      askedAt = Long.MIN_VALUE / 2;
    }
    latest = gap;
    if (isDue) {
      askedAt = now;
    }
    return isDue ? gap : Optional.empty();
  }
}
