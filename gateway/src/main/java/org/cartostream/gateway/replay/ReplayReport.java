package org.cartostream.gateway.replay;

import java.util.Map;
import java.util.Optional;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.gateway.ReadingCounter;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.session.SessionResult;

/**
 * The result of a replay.
 *
 * @param counts read = processed + refused + skipped + lost
 * @param refusedByReason numbers of refused readings by the refusal's name; their sum is {@code
 *     counts.refused()}
 * @param finished the service's own report; empty if the run gave up before
 * @param failure why the run gave up, one sentence; empty if the run ended in order
 * @param resent number of readings sent again after an outage or a long silence
 * @param duplicates number of repeated answers, which were dropped
 * @param outages number of outages of the broker
 */
public record ReplayReport(
    ReadingCounts counts,
    Map<String, Long> refusedByReason,
    Optional<FinishedMessage> finished,
    Optional<String> failure,
    long resent,
    long duplicates,
    long outages) {

  /**
   * @throws IllegalStateException if the counts do not add up, which is a defect of the gateway
   */
  static ReplayReport of(SessionResult result, ReadingCounter counter) {
    ReadingCounts counts = counter.counts();
    if (counts.open() != 0) {
      throw new IllegalStateException(counts + " leaves " + counts.open() + " readings open");
    }
    return new ReplayReport(
        counts,
        counter.unusedByReason(),
        result.finished(),
        result.failure(),
        result.resent(),
        result.duplicates(),
        result.outages());
  }
}
