package org.cartostream.broker.message;

import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The outcome of the reading whose number the envelope carries, service to robot.
 *
 * @param answeredAtNanos when the service first answered, nanoseconds since 1970-01-01 UTC by its
 *     clock: the robot's side estimates by it how far the clocks differ
 * @param durable readings up to this number are in a checkpoint: the robot's side need not keep
 *     them
 */
public record OutcomeMessage(Outcome outcome, long answeredAtNanos, long durable)
    implements Message {

  public OutcomeMessage {
    Objects.requireNonNull(outcome, "outcome");
  }

  /** An answer of now, by this computer's clock. */
  public static OutcomeMessage now(Outcome outcome, long durable) {
    Instant now = Instant.now();
    return new OutcomeMessage(
        outcome, TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano(), durable);
  }
}
