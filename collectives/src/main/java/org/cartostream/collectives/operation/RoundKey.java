package org.cartostream.collectives.operation;

/**
 * Identifier of one collective operation: all members that take part in it call it with the same
 * key.
 *
 * @param robot whose particles the operation serves; operations of different robots are independent
 * @param epoch of this robot's group; it grows when members are replaced, so that messages of
 *     members in an older epoch are dropped
 * @param round number of the operation within the epoch, greater at every call; gaps are allowed
 */
public record RoundKey(String robot, long epoch, long round) {

  /**
   * Maximum length of a robot's id, characters, as at the broker; a frame's header could hold 255.
   */
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
