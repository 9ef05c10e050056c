package org.cartostream.gateway.session;

import java.util.Optional;
import org.cartostream.broker.message.FinishedMessage;

/**
 * The result of a {@link ReadingSession}.
 *
 * @param finished the service's own report; empty if the session gave up before
 * @param failure why the session could not go on or end in order, one sentence; empty if it did
 * @param resent number of readings sent again after an outage or a long silence
 * @param duplicates number of repeated answers, which were dropped
 * @param outages number of outages of the broker
 */
public record SessionResult(
    Optional<FinishedMessage> finished,
    Optional<String> failure,
    long resent,
    long duplicates,
    long outages) {}
