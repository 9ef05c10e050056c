package org.cartostream.slam.log.carmen;

import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.NoReturnDetector;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * Properties of a laser that only all lines of one kind together reveal: the range that means no
 * return, and whether the first pose on a line is the laser's.
 *
 * <p>Owns what was seen of the lines.
 */
public final class LaserPreScan {

  /**
   * A {@code FLASER} line that tells nothing has this as its maximum. Recorded logs mark by 50, 80,
   * 81.83 or 81.91 metres that nothing was met. Real hits occur up to 49.91 m (aces). A real hit
   * beyond is not lost: there was indeed nothing as far as 50 m.
   */
  static final double FAR = 50;

  /** A robot that has turned so far, radians, shows what only looks like a mount. */
  private static final double TURNED = 0.5;

  /** Lines of a robot that stands say the same again; metres, or radians. */
  private static final double MOVED = 0.05;

  private final boolean mayBeTurned;
  private final NoReturnDetector noReturnDetector = new NoReturnDetector();
  private final LoggedMountCheck loggedMountCheck;

  /** Odometry of the first line whose mount counts, and of the latest; null before. */
  private Pose first;

  private Pose latest;
  private boolean hasTurned;
  private Optional<Pose> mount = Optional.empty();

  /** Mount of the laser if the lines do not tell it. */
  private Pose otherwise = Pose.ORIGIN;

  private LaserPreScan(boolean mayBeTurned, LoggedMountCheck loggedMountCheck) {
    this.mayBeTurned = mayBeTurned;
    this.loggedMountCheck = loggedMountCheck;
  }

  /**
   * Returns a prescan of {@code FLASER} lines. Nothing says whose their first pose is, so it must
   * agree with the second but for rounding to be the laser's, and while the robot looks to more
   * than one side.
   */
  public static LaserPreScan ofFrontLaser() {
    return new LaserPreScan(false, new LoggedMountCheck(0.02, 0.01));
  }

  /**
   * Returns a prescan of {@code ROBOTLASER1} lines. Their first pose should be the laser's, which
   * may be turned.
   */
  public static LaserPreScan ofRobotLaser() {
    return new LaserPreScan(true, new LoggedMountCheck(0.1, StrictMath.PI));
  }

  /** One of the lines, as it stands there. */
  public void add(Reading line) {
    noReturnDetector.add(line.scan());
    Pose odometry = line.odometry();
    if (odometry.isFinite() && (latest == null || hasMoved(latest, odometry))) {
      loggedMountCheck.add(line.scan().mount());
      first = first == null ? odometry : first;
      latest = odometry;
      hasTurned |= turn(first, odometry) > TURNED;
    }
  }

  private static boolean hasMoved(Pose from, Pose to) {
    return from.distance(to) > MOVED || turn(from, to) > MOVED;
  }

  private static double turn(Pose from, Pose to) {
    return StrictMath.abs(Pose.wrap(to.theta() - from.theta()));
  }

  /**
   * All have been seen.
   *
   * @param parameter the laser's pose on the robot by the log's parameters: if the lines do not
   *     tell
   */
  public void end(Pose parameter) {
    otherwise = parameter;
    mount = mayBeTurned || hasTurned ? loggedMountCheck.usual() : Optional.empty();
  }

  /** True if the lines do not agree on a place of the laser, where they should. */
  public boolean hasNoPlace() {
    return mayBeTurned && latest != null && mount.isEmpty();
  }

  /** A line, as it is to be understood after all have been seen. */
  public Reading interpret(Reading line) {
    Scan scan = line.scan();
    Scan understood =
        scan.mountedAt(mount(scan.mount())).upTo(noReturnDetector.range().orElse(scan.maxRange()));
    return new Reading(line.stampNanos(), line.odometry(), understood);
  }

  private Pose mount(Pose own) {
    Pose usual = mount.orElse(otherwise);
    return mayBeTurned && mount.isPresent() && loggedMountCheck.agree(own, usual) ? own : usual;
  }
}
