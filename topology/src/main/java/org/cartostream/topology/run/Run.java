package org.cartostream.topology.run;

import org.cartostream.broker.message.Envelope;

/**
 * One run of one robot. Every message in the topology names its run, so that nothing of an older
 * run can be taken for the newer one's, in whatever order it arrives.
 *
 * @param robot the robot's id
 * @param number the gateway's number of the run: another run has another, no greater and no smaller
 * @param order its place among all runs that this service has begun, greater for a later one; 0 in
 *     what a robot sends, until the dispatcher knows to which run it belongs
 */
public record Run(String robot, long number, long order) {

  public static Run of(Envelope envelope) {
    return new Run(envelope.robot(), envelope.run(), 0);
  }

  /** The same run, in its place. */
  public Run begun(long order) {
    return new Run(robot, number, order);
  }

  /** True if both are of the same robot and number, begun or not. */
  public boolean isSameAs(Run other) {
    return robot.equals(other.robot) && number == other.number;
  }

  @Override
  public String toString() {
    return "robot " + robot + ", run " + Long.toHexString(number);
  }
}
