package org.cartostream.gateway;

import org.cartostream.slam.sensor.Refusal;

/**
 * Reasons for which a usable reading of a live robot is not sent. Odometry is absolute, so a
 * skipped reading adds no drift.
 */
public enum SkipReason implements Refusal {
  FILTER_BUSY("The service was still busy with earlier scans, and a newer one came"),
  BACKLOG_FULL("The service could not be reached for so long that the backlog on disk is full"),
  BACKLOG_UNWRITABLE("The backlog on disk cannot be written or read"),
  NO_PLACE_IN_MAP(
      "The robot was where the map has no place for it, or cannot be followed back to there in the"
          + " map, so the run begins behind it"),
  ROBOT_CARRIED(
      "The robot did not stand where odometry says, and cannot be followed back to there in the map"),
  GATEWAY_STOPPED("The gateway was stopped before the scan could be sent");

  private final String sentence;

  SkipReason(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
