package org.cartostream.broker.message;

import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Outcome of the reading whose number the envelope carries, service to robot.
 *
 * @param answeredAtNanos time of the service's first answer, nanoseconds since 1970-01-01 UTC by
 *     its clock; from it the robot's side estimates how far the clocks differ
 * @param durable number of the last reading that is in a checkpoint; the robot's side need not keep
 *     readings up to it
 */
public record OutcomeMessage(Outcome outcome, long answeredAtNanos, long durable)
    implements Message {

  public OutcomeMessage {
    Objects.requireNonNull(outcome, "outcome");
  }

  /** Returns the message of an outcome that is answered now, by this computer's clock. */
  public static OutcomeMessage now(Outcome outcome, long durable) {
    Instant now = Instant.now();
    return new OutcomeMessage(
        outcome, TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano(), durable);
  }
}
