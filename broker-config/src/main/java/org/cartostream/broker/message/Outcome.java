package org.cartostream.broker.message;

import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.sensor.Refusal;

/**
 * Outcome of a reading. Each reading that is sent gets exactly one; a reading that the service
 * drops without an outcome is sent again.
 */
public sealed interface Outcome {

  /**
   * The filter took the reading in.
   *
   * @param searched true if odometry was doubted, so that a wide search was needed
   * @param serviceNanos nanoseconds from admission to the filter until every task was ready again
   */
  record Processed(RobotPose pose, boolean searched, long serviceNanos) implements Outcome {}

  /**
   * The reading could not be used.
   *
   * @param refusal name of the refusal, under which it is counted
   * @param sentence sentence for people: which value was wrong, and how
   */
  record Refused(String refusal, String sentence) implements Outcome {

    public static Refused of(Refusal.Reason why) {
      return new Refused(why.refusal().name(), why.toString());
    }
  }

  /**
   * The service had the reading, and no longer knows whether the filter took it in.
   *
   * @param sentence sentence for people: how the reading was lost
   */
  record Lost(String sentence) implements Outcome {}
}
