package org.cartostream.broker.message;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Service to robot: what became of the reading whose number the envelope carries.
 *
 * @param saidAtNanos when the service said so first, nanoseconds since 1970-01-01 UTC by its clock:
 *     the robot's side estimates by it how far the clocks differ
 */
public record OutcomeMessage(Outcome outcome, long saidAtNanos) implements Message {

  /** Said now, by this computer's clock. */
  public static OutcomeMessage now(Outcome outcome) {
    Instant now = Instant.now();
    return new OutcomeMessage(
        outcome, TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano());
  }
}
