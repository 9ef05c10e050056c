package org.cartostream.gateway;

import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.cartostream.broker.FinishedMessage;

/**
 * What a replay came to.
 *
 * @param counts read = processed + refused + skipped + lost
 * @param finished the service's own report; empty if the run gave up before
 * @param failure why the run gave up, one sentence; empty if it came to its end
 * @param interrupted true if it was stopped before the end of the log
 * @param serviceNanos nanoseconds from a reading's admission to the filter until it was ready again
 * @param roundTripNanos nanoseconds from a reading's sending to its outcome
 * @param wallNanos nanoseconds from the first reading's sending to the end
 * @param distanceMetres driven along the corrected poses
 * @param resent readings sent again, after an outage or a long silence
 * @param duplicates answers that came a second time, and were dropped
 * @param outages how often the broker went away
 */
public record ReplayReport(
    Tally.Counts counts,
    Optional<FinishedMessage> finished,
    Optional<String> failure,
    boolean interrupted,
    Histogram serviceNanos,
    Histogram roundTripNanos,
    long wallNanos,
    double distanceMetres,
    long resent,
    long duplicates,
    long outages) {}
