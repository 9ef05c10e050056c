package org.cartostream.gateway.ros.scan;

import org.cartostream.slam.sensor.Refusal;

/** Reasons for which a scan of a robot that speaks ROS is not used. */
public enum RosRefusal implements Refusal {
  NO_BEAMS("The scan has no ranges; it needs at least one"),
  BAD_ANGLES(
      "The scan's angles do not fit its number of ranges: angle_max must lie as many steps"
          + " of angle_increment behind angle_min as there are further ranges"),
  BAD_RANGE_LIMITS("The scan's range limits make no sense: 0 <= range_min < range_max is needed"),
  TRUNCATED(
      "The scan was cut short, as of a laser that starts up: it has less than half of the beams or"
          + " of the field that the laser's scans usually have, or its beams are spread wider"),
  ALL_BEAMS_INVALID("No beam of the scan is usable: all are NaN, below range_min or at range_max"),
  NO_ODOMETRY("No odometry has come for the time of the scan"),
  STAMP_TOO_OLD(
      "The scan's stamp lies before the odometry that is kept, or before an earlier scan"),
  CLOCK_SKEW("The scan's stamp is ahead of the odometry's: their computers' clocks differ"),
  NO_TRANSFORM("No transform gives the laser's place on the robot's base"),
  LASER_NOT_LEVEL("The laser is mounted at a slant; it must look level, upright or on its head"),
  TOO_LITTLE_MOVEMENT("The robot has hardly moved since the last scan that was sent", true),
  THROTTLED("Only every few scans were asked for", true),
  TOO_MANY_WAITING("Too many scans wait for their odometry"),
  NOT_IN_ORDER(
      "The file's messages are not in the order of time, so that scans do not meet their odometry;"
          + " sort it by rosbag filter or mcap sort"),
  TIME_SET_BACK("Time was set back in the file, and what follows is another drive"),
  DAMAGED_MESSAGE("The scan's bytes make no sense; the file is damaged"),
  ;

  private final String sentence;
  private final boolean usual;

  RosRefusal(String sentence) {
    this(sentence, false);
  }

  RosRefusal(String sentence, boolean usual) {
    this.sentence = sentence;
    this.usual = usual;
  }

  @Override
  public String sentence() {
    return sentence;
  }

  /** True if nothing is wrong with the scan: it is skipped, not refused. */
  public boolean isUsual() {
    return usual;
  }
}
