package org.cartostream.topology.run;

import org.cartostream.broker.message.Envelope;

/**
 * One run of one robot. Every message in the topology names its run, so that nothing of an older
 * run can be taken for the newer one's, in whatever order it arrives.
 *
 * @param robot the robot's id
 * @param number the gateway's number of the run: another run has another, no greater and no smaller
 * @param epoch greater for each restore of the run, and for a later run; 0 in what a robot sends,
 *     until the dispatcher knows to which run it belongs
 */
public record Run(String robot, long number, long epoch) {

  public static Run of(Envelope envelope) {
    return new Run(envelope.robot(), envelope.run(), 0);
  }

  /** Returns the same run in an epoch. */
  public Run begun(long epoch) {
    return new Run(robot, number, epoch);
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
