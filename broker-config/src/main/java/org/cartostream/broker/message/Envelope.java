package org.cartostream.broker.message;

import java.security.SecureRandom;
import java.util.Objects;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.RobotId;

/**
 * Message with its address: the robot that sends or receives it, and the reading it is about.
 *
 * @param robot the robot's id, see {@link RobotId}; for a {@link WorkerMessage} the service's name
 * @param run number of the gateway's run, see {@link #newRun}; an answer has the run of the reading
 *     it answers
 * @param sequence number of the reading within the run, from 1; for an {@link EndMessage} and its
 *     answers the number of the last reading; for poses and maps the last reading that they show
 * @param stampNanos the reading's stamp, nanoseconds since 1970-01-01 UTC by the robot's clock
 * @param body the message
 */
public record Envelope(String robot, long run, long sequence, long stampNanos, Message body) {

  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * @throws RefusedMessageException if {@code robot} is no valid id
   */
  public Envelope {
    RobotId.check(robot);
    Objects.requireNonNull(body, "body");
  }

  /**
   * Returns a number for a run that no other run has. It is drawn at random, as a robot's clock may
   * be set back whenever the robot is started.
   */
  public static long newRun() {
    return RANDOM.nextLong() >>> 1;
  }

  /** Returns an envelope for an answer, with the same robot, run, number and stamp. */
  public Envelope answer(Message answer) {
    return new Envelope(robot, run, sequence, stampNanos, answer);
  }
}
