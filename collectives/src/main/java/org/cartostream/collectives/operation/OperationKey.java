package org.cartostream.collectives.operation;

/**
 * Identifier of one collective operation: all members that take part call the operation with the
 * same key.
 *
 * @param robot id of the robot whose particles the operation serves; operations of different robots
 *     are independent
 * @param epoch number that grows when members of this robot's group are replaced; messages of an
 *     older epoch are dropped
 * @param round number of the operation within the epoch, greater at every call; gaps are allowed
 */
public record OperationKey(String robot, long epoch, long round) {

  /**
   * Maximum length of a robot's id, characters: that of robots' ids in messages at the broker. A
   * frame's head could hold 255.
   */
  public static final int MAX_ROBOT_CHARACTERS = 64;

  public OperationKey {
    if (robot.isEmpty() || robot.length() > MAX_ROBOT_CHARACTERS) {
      throw new IllegalArgumentException(
          "'"
              + robot
              + "' is no robot's id: it must have 1 to "
              + MAX_ROBOT_CHARACTERS
              + " characters");
    }
  }

  @Override
  public String toString() {
    return "robot " + robot + ", epoch " + epoch + ", round " + round;
  }
}
