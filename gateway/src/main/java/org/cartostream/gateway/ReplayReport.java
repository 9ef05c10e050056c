package org.cartostream.gateway;

import java.util.Optional;
import org.cartostream.broker.FinishedMessage;

/**
 * What a replay came to.
 *
 * @param counts read = processed + refused + skipped + lost
 * @param finished the service's own report; empty if the run gave up before
 * @param failure why the run gave up, one sentence; empty if it came to its end
 * @param resent readings sent again, after an outage or a long silence
 * @param duplicates answers that came a second time, and were dropped
 * @param outages how often the broker went away
 */
public record ReplayReport(
    Tally.Counts counts,
    Optional<FinishedMessage> finished,
    Optional<String> failure,
    long resent,
    long duplicates,
    long outages) {}
