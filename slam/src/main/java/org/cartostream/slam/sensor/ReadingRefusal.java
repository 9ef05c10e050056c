package org.cartostream.slam.sensor;

/** Reasons why the filter or a log reader does not use a reading. */
public enum ReadingRefusal implements Refusal {
  TOO_FEW_NUMBERS("The line has fewer numbers than its beam count asks for"),
  TOO_MANY_NUMBERS("The line has more numbers than its beam count asks for"),
  NOT_A_NUMBER("The line holds something that is no number"),
  NO_BEAMS("The scan has no beams; it needs at least one"),
  TOO_MANY_BEAMS(
      "The scan has more beams than slam.readingFilter.maxBeams allows; every second of them is enough"
          + " for a map"),
  ALL_BEAMS_INVALID(
      "No beam of the scan is usable: all are NaN, 0, below the minimum, at the maximum, beyond 300 m,"
          + " or meet the robot itself"),
  BAD_ANGLES(
      "The scan's angles make no sense: radians are needed, two turns at most, and a step that is not 0"),
  MOUNT_TOO_FAR("The laser is mounted farther from the base than any robot is long"),
  MOUNT_NOT_FINITE("The laser's pose on the base is NaN or infinite"),
  BAD_RANGE_LIMITS("The scan's range limits make no sense: 0 <= minimum < maximum is needed"),
  MIRRORED_SCAN(
      "The scans turn to the left where odometry turns to the right: the laser's beams run the other way"
          + " round than is declared, or odometry turns the wrong way; the map may be a mirror image"),
  ODOMETRY_NOT_FINITE("The odometry pose is NaN or infinite"),
  ODOMETRY_JUMP("The odometry jumped farther than a robot can drive between two readings"),
  ROBOT_CARRIED(
      "The robot does not stand where odometry says, as if it had been carried, and was not found in what"
          + " was mapped before"),
  NO_ODOMETRY("The scan has no odometry: nothing in the file tells where the robot was");

  private final String sentence;

  ReadingRefusal(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
