package org.cartostream.topology.collectives;

import org.cartostream.broker.RobotId;

/**
 * Names one operation among all: every member that takes part calls it with the same key.
 *
 * @param robot whose particles it is about; robots do not disturb each other
 * @param epoch of this robot's group; it grows when members are replaced, and then fences off
 *     whoever still works in an older one
 * @param round number of the operation within the epoch, greater at every call; gaps are allowed
 */
public record RoundKey(String robot, long epoch, long round) {

  public RoundKey {
    if (robot.isEmpty() || robot.length() > RobotId.MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          "'"
              + robot
              + "' is no robot's id: it must have 1 to "
              + RobotId.MOST_CHARACTERS
              + " characters");
    }
  }

  @Override
  public String toString() {
    return "robot " + robot + ", epoch " + epoch + ", round " + round;
  }
}
