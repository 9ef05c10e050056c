package org.cartostream.broker.message;

import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.sensor.Refusal;

/**
 * The outcome of a reading. Each reading that is sent gets exactly one; what the service drops
 * without one is sent again.
 */
public sealed interface Outcome {

  /**
   * The filter took it in.
   *
   * @param searched true if odometry was doubted, so that a wide search was needed
   * @param serviceNanos nanoseconds from admission to the filter until every task was ready again
   */
  record Processed(RobotPose pose, boolean searched, long serviceNanos) implements Outcome {}

  /**
   * The reading could not be used.
   *
   * @param refusal the refusal's name, under which it is counted
   * @param sentence for people: what was wrong with which value
   */
  record Refused(String refusal, String sentence) implements Outcome {

    public static Refused of(Refusal.Reason why) {
      return new Refused(why.refusal().name(), why.toString());
    }
  }

  /**
   * The service had it, and does not know any more whether the filter took it in.
   *
   * @param sentence for people: how it was lost
   */
  record Lost(String sentence) implements Outcome {}
}
