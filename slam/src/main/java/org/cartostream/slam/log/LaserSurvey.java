package org.cartostream.slam.log;

import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * What all lines of one kind tell together of their laser, and none of them alone: from which range
 * on nothing was met, and whether their first pose is the laser's.
 *
 * <p>Owns what was seen of the lines.
 */
final class LaserSurvey {

  /** A robot that has turned so far, radians, shows what only looks like a mount. */
  private static final double TURNED = 0.5;

  private final boolean turns;
  private final NothingMet nothingMet = new NothingMet();
  private final Mounts mounts;
  private double leastHeading = Double.POSITIVE_INFINITY;
  private double greatestHeading = Double.NEGATIVE_INFINITY;
  private Optional<Pose> mount = Optional.empty();

  private LaserSurvey(boolean turns, Mounts mounts) {
    this.turns = turns;
    this.mounts = mounts;
  }

  /**
   * Of {@code FLASER} lines. Nothing says whose their first pose is, so it must agree with the
   * second but for rounding to be the laser's, and while the robot looks to more than one side.
   */
  static LaserSurvey ofFrontLaser() {
    return new LaserSurvey(false, new Mounts(0.02, 0.01));
  }

  /** Of {@code ROBOTLASER1} lines. Their first pose should be the laser's, which may be turned. */
  static LaserSurvey ofRobotLaser() {
    return new LaserSurvey(true, new Mounts(0.1, StrictMath.PI));
  }

  /** One of the lines, as it stands there. */
  void see(Reading line) {
    nothingMet.see(line.scan().ranges());
    mounts.see(line.scan().mount());
    leastHeading = Math.min(leastHeading, line.odometry().theta());
    greatestHeading = Math.max(greatestHeading, line.odometry().theta());
  }

  /** All have been seen. */
  void end() {
    boolean tells = turns || greatestHeading - leastHeading > TURNED;
    mount = tells ? mounts.usual() : Optional.empty();
  }

  /** A line, as it is to be understood after all have been seen. */
  Reading understood(Reading line) {
    Scan scan = line.scan();
    Scan understood =
        new Scan(
            mount(scan.mount()),
            scan.startAngle(),
            scan.angleStep(),
            scan.minRange(),
            maxRange(scan),
            scan.ranges());
    return new Reading(line.stampNanos(), line.odometry(), understood);
  }

  private Pose mount(Pose own) {
    Pose usual = mount.orElse(Pose.ORIGIN);
    return turns && mount.isPresent() && mounts.agree(own, usual) ? own : usual;
  }

  /**
   * A maximum of 50 m and more need not be the laser's: CARMEN's driver of the SICK LMS writes 81.9
   * in any case, and 81.83 or 8.183 for a beam that met nothing.
   */
  private double maxRange(Scan scan) {
    return scan.maxRange() < NothingMet.FAR
        ? scan.maxRange()
        : Math.min(scan.maxRange(), nothingMet.range().orElse(scan.maxRange()));
  }
}
