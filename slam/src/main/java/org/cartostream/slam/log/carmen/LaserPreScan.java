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
 * <p>Owns the statistics of the lines seen.
 */
public final class LaserPreScan {

  /**
   * Maximum range of {@code FLASER} lines, which do not give it. Recorded logs mark by 50, 80,
   * 81.83 or 81.91 metres that a beam met nothing; real hits occur up to 49.91 m (aces). A real hit
   * beyond counts as free space up to 50 m, which is right.
   */
  static final double FAR = 50;

  /**
   * Turn of the robot, radians, after which a wrong mount is noticed: its lines no longer agree.
   */
  private static final double TURNED = 0.5;

  /**
   * Least motion between two lines that both count, metres or radians: a standing robot repeats
   * itself.
   */
  private static final double MOVED = 0.05;

  private final boolean mayBeTurned;
  private final NoReturnDetector noReturnDetector = new NoReturnDetector();
  private final LoggedMountCheck loggedMountCheck;

  /** Odometry of the first line whose mount counts, and of the latest; null before. */
  private Pose first;

  private Pose latest;
  private boolean hasTurned;
  private Optional<Pose> mount = Optional.empty();

  /** Mount of the laser if the lines do not give it. */
  private Pose otherwise = Pose.ORIGIN;

  private LaserPreScan(boolean mayBeTurned, LoggedMountCheck loggedMountCheck) {
    this.mayBeTurned = mayBeTurned;
    this.loggedMountCheck = loggedMountCheck;
  }

  /**
   * Returns a prescan of {@code FLASER} lines. The format does not say whose pose the first one is.
   * It is taken for the laser's only if its mount relative to the second is constant but for
   * rounding, while the robot turns.
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

  /** Takes in a line, as it is in the log. */
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
   * Ends the prescan after the last line.
   *
   * @param parameter the laser's mount by the log's parameters, which is used if the lines do not
   *     give one
   */
  public void end(Pose parameter) {
    otherwise = parameter;
    mount = mayBeTurned || hasTurned ? loggedMountCheck.usual() : Optional.empty();
  }

  /** Returns true if the lines should give the laser's mount, but do not agree on one. */
  public boolean hasNoPlace() {
    return mayBeTurned && latest != null && mount.isEmpty();
  }

  /**
   * Returns a line's reading with mount and maximum range corrected by what all lines have shown.
   */
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
