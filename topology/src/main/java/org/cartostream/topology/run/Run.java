package org.cartostream.topology.run;

import org.cartostream.broker.message.Envelope;

/**
 * One run of one robot. Every message in the topology names its run, so that a message of an older
 * run is never mistaken for one of a newer run, in whatever order they arrive.
 *
 * @param robot the robot's id
 * @param number number that the gateway has drawn for the run; numbers of different runs differ,
 *     and have no order
 * @param epoch recovery epoch, which grows with each restore of the run, and with a later run; 0 in
 *     a robot's message until the dispatcher has assigned it to a run
 */
public record Run(String robot, long number, long epoch) {

  public static Run of(Envelope envelope) {
    return new Run(envelope.robot(), envelope.run(), 0);
  }

  /** Returns the same run in an epoch. */
  public Run begun(long epoch) {
    return new Run(robot, number, epoch);
  }

  /** Returns true if both have the same robot and number, whatever their epochs. */
  public boolean isSameAs(Run other) {
    return robot.equals(other.robot) && number == other.number;
  }

  @Override
  public String toString() {
    return "robot " + robot + ", run " + Long.toHexString(number);
  }
}
