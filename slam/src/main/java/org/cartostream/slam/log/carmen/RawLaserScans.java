package org.cartostream.slam.log.carmen;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.file.UnusableLineException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;

/**
 * Scans on the {@code RAWLASER1} lines of a CARMEN log, completed from its other lines: the robot's
 * pose from {@code ODOM} lines, and the laser's mount from {@code PARAM} lines.
 *
 * <p>Owns the odometry, and the statistics of the scans.
 */
public final class RawLaserScans {

  private final LaserPreScan laser = LaserPreScan.ofRobotLaser();
  private final OdometryInterpolator odometry = new OdometryInterpolator();
  private final CarmenParameters parameters;

  /**
   * @param parameters the log's parameters, complete when {@link #reading} is called
   */
  public RawLaserScans(CarmenParameters parameters) {
    this.parameters = parameters;
  }

  /** Takes a line of odometry, and passes over all others. */
  public void take(int number, String keyword, String line) {
    if (keyword.equals(OdometryInterpolator.KEYWORD)) {
      odometry.take(number, line);
    }
  }

  /** Takes in a scan for the statistics, as parsed from its line alone. */
  public void add(Reading scan) {
    laser.add(scan);
  }

  /**
   * Ends the first pass: all lines have been taken, and all scans added.
   *
   * @throws FileFormatException if there is no odometry
   */
  public void end(Path file) throws FileFormatException {
    if (odometry.isEmpty()) {
      throw new FileFormatException(
          file
              + " has RAWLASER1 scans, which do not tell where they were taken, and no ODOM lines"
              + " that do"
              + odometry.notices().stream().map(why -> " (" + why + ")").findFirst().orElse(""));
    }
    odometry.end();
    laser.end(parameters.mount());
  }

  /**
   * Returns the reading of a scan, completed by odometry and mount.
   *
   * @param scan the scan as parsed from its line alone
   */
  public Reading reading(Reading scan) throws UnusableLineException {
    Reading understood = laser.interpret(scan);
    Pose pose = odometry.at(scan.stampNanos());
    return new Reading(scan.stampNanos(), pose, understood.scan().mountedAt(parameters.mount()));
  }

  /** Returns the assumptions that were made, as sentences for people. */
  public List<String> notices() {
    List<String> notices = new ArrayList<>(parameters.notices());
    notices.addAll(odometry.notices());
    return notices;
  }
}
