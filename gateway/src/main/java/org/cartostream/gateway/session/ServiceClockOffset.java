package org.cartostream.gateway.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;

/**
 * Estimator of the offset of the service's clock from this computer's, by the times of readings and
 * their answers.
 *
 * <p>The service answers after a reading was sent and before the answer is received. So its time of
 * answering less that of sending is never below the skew, and less that of receiving never above
 * it; each answer bounds the skew by its round trip, less the time that the service worked on it.
 * The narrowest of the last intervals has the best middle (F. Cristian, Probabilistic clock
 * synchronization, 1989): its error is at most half of the shortest round trip.
 *
 * <p>Owns the last intervals. Thread-safe.
 */
public final class ServiceClockOffset {

  /** Number of answers whose intervals count; older ones may be wrong because clocks drift. */
  private static final int MAX_INTERVALS = 100;

  private record Interval(long min, long greatest) {
    long width() {
      return greatest - min;
    }
  }

  private final Deque<Interval> last = new ArrayDeque<>();

  /**
   * Takes the times of a reading and its answer.
   *
   * @param sentNanos time at which the reading was sent, nanoseconds since 1970-01-01 UTC by this
   *     computer's clock
   * @param answeredNanos time at which the service answered, by its own clock
   * @param receivedNanos time at which the answer was received, by this computer's clock
   * @param workedNanos duration of the service's work on the reading, nanoseconds; 0 if unknown
   */
  public synchronized void answered(
      long sentNanos, long answeredNanos, long receivedNanos, long workedNanos) {
    Interval interval =
        new Interval(
            answeredNanos - receivedNanos, answeredNanos - sentNanos - Math.max(0, workedNanos));
    if (interval.width() < 0) {
      return; // This computer's clock was set back meanwhile.
    }
    last.add(interval);
    if (last.size() > MAX_INTERVALS) {
      last.remove();
    }
  }

  /**
   * Takes an answer that comes now to a reading that was sent at {@code sentNanoTime} by {@link
   * System#nanoTime}.
   */
  void answered(long sentNanoTime, OutcomeMessage message) {
    long here = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    long worked =
        message.outcome() instanceof Outcome.Processed processed ? processed.serviceNanos() : 0;
    answered(here - (System.nanoTime() - sentNanoTime), message.answeredAtNanos(), here, worked);
  }

  /**
   * Returns the service's clock minus this computer's, nanoseconds; empty before the first answer.
   */
  public synchronized OptionalLong skewNanos() {
    return last.stream()
        .min((a, b) -> Long.compare(a.width(), b.width()))
        .map(best -> OptionalLong.of(best.min() + best.width() / 2))
        .orElse(OptionalLong.empty());
  }
}
