package org.cartostream.collectives.operation;

/**
 * Names one operation among all: every member that takes part calls it with the same key.
 *
 * @param robot whose particles it is about; robots do not disturb each other
 * @param epoch of this robot's group; it grows when members are replaced, and then fences off
 *     whoever still works in an older one
 * @param round number of the operation within the epoch, greater at every call; gaps are allowed
 */
public record RoundKey(String robot, long epoch, long round) {

  /** Characters of a robot's id, as the broker has them; a frame's head has room for 255. */
  public static final int MAX_ROBOT_CHARACTERS = 64;

  public RoundKey {
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
