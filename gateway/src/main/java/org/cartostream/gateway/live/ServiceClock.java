package org.cartostream.gateway.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * How far the service's clock is ahead of this computer's, from readings and their answers.
 *
 * <p>An answer is said after its reading was sent and before it comes. So what the service's clock
 * shows then, less the sending, is never below the skew, and less the coming never above it; each
 * answer narrows the interval to its round trip, less what the service says that it worked. The
 * narrowest of the last intervals has the best middle (F. Cristian, Probabilistic clock
 * synchronization, 1989): its error is at most half of the shortest round trip.
 *
 * <p>Owns the last intervals. Thread-safe.
 */
public final class ServiceClock {

  /** Clocks drift; what is older than so many answers may be wrong by now. */
  private static final int KEPT = 100;

  private record Interval(long least, long greatest) {
    long width() {
      return greatest - least;
    }
  }

  private final Deque<Interval> last = new ArrayDeque<>();

  /**
   * An answer came.
   *
   * @param sentNanos when its reading was sent, nanoseconds since 1970-01-01 UTC by this computer
   * @param saidNanos when the service said it, by its clock
   * @param cameNanos when it came, by this computer
   * @param workedNanos of the time between, spent on the reading by the service; 0 if unknown
   */
  public synchronized void answered(
      long sentNanos, long saidNanos, long cameNanos, long workedNanos) {
    Interval interval =
        new Interval(saidNanos - cameNanos, saidNanos - sentNanos - Math.max(0, workedNanos));
    if (interval.width() < 0) {
      return; // This computer's clock was set back meanwhile.
    }
    last.add(interval);
    if (last.size() > KEPT) {
      last.remove();
    }
  }

  /** Nanoseconds by which the service's clock is ahead; empty before the first answer. */
  public synchronized OptionalLong skewNanos() {
    return last.stream()
        .min((a, b) -> Long.compare(a.width(), b.width()))
        .map(best -> OptionalLong.of(best.least() + best.width() / 2))
        .orElse(OptionalLong.empty());
  }
}
