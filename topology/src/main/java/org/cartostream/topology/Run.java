package org.cartostream.topology;

import org.cartostream.broker.Envelope;

/**
 * One run of one robot. Everything that is said in the topology names its run, so that nothing of
 * an older run can be taken for the newer one's, in whatever order it arrives.
 *
 * @param robot the robot's id
 * @param number the gateway's number of the run, greater for a later one
 */
public record Run(String robot, long number) {

  static Run of(Envelope envelope) {
    return new Run(envelope.robot(), envelope.run());
  }

  @Override
  public String toString() {
    return "robot " + robot + ", run " + number;
  }
}
