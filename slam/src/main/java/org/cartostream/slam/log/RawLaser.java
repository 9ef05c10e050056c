package org.cartostream.slam.log;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;

/**
 * What a CARMEN log tells of the scans on {@code RAWLASER1} lines elsewhere: where the robot was,
 * on {@code ODOM} lines, and where the laser is on it, on {@code PARAM} lines.
 *
 * <p>Owns the former, and what was seen of the scans.
 */
final class RawLaser {

  private final LaserSurvey laser = LaserSurvey.ofRobotLaser();
  private final OdometryLines odometry = new OdometryLines();
  private final LaserParameters parameters;

  /**
   * @param parameters all of the log, when {@link #reading} is called
   */
  RawLaser(LaserParameters parameters) {
    this.parameters = parameters;
  }

  /** Takes a line of odometry, and passes over all others. */
  void take(int number, String keyword, String line) {
    if (keyword.equals(OdometryLines.KEYWORD)) {
      odometry.take(number, line);
    }
  }

  /** One of the scans, as its line alone tells it. */
  void see(Reading scan) {
    laser.see(scan);
  }

  /**
   * All have been taken and seen.
   *
   * @throws LogFormatException if there is no odometry
   */
  void end(Path file) throws LogFormatException {
    if (odometry.isEmpty()) {
      throw new LogFormatException(
          file
              + " has RAWLASER1 scans, which do not tell where they were taken, and no ODOM lines"
              + " that do"
              + odometry.notices().stream().map(why -> " (" + why + ")").findFirst().orElse(""));
    }
    odometry.end();
    laser.end(parameters.mount());
  }

  /**
   * The reading on a line.
   *
   * @param scan as the line alone tells it
   */
  Reading reading(Reading scan) throws UnusableLine {
    Reading understood = laser.understood(scan);
    Pose pose = odometry.at(scan.stampNanos());
    return new Reading(scan.stampNanos(), pose, understood.scan().mountedAt(parameters.mount()));
  }

  /** What was taken for granted, for people. */
  List<String> notices() {
    List<String> notices = new ArrayList<>(parameters.notices());
    notices.addAll(odometry.notices());
    return notices;
  }
}
