package org.cartostream.slam.log;

import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.NothingMet;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * What all lines of one kind tell together of their laser, and none of them alone: from which range
 * on nothing was met, and whether their first pose is the laser's.
 *
 * <p>Owns what was seen of the lines.
 */
final class LaserSurvey {

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
  private final NothingMet nothingMet = new NothingMet();
  private final Mounts mounts;

  /** Odometry of the first line whose mount counts, and of the latest; null before. */
  private Pose first;

  private Pose latest;
  private boolean hasTurned;
  private Optional<Pose> mount = Optional.empty();

  /** Where the laser is if the lines do not tell. */
  private Pose otherwise = Pose.ORIGIN;

  private LaserSurvey(boolean mayBeTurned, Mounts mounts) {
    this.mayBeTurned = mayBeTurned;
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
    nothingMet.see(line.scan());
    Pose odometry = line.odometry();
    if (odometry.isFinite() && (latest == null || hasMoved(latest, odometry))) {
      mounts.see(line.scan().mount());
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
  void end(Pose parameter) {
    otherwise = parameter;
    mount = mayBeTurned || hasTurned ? mounts.usual() : Optional.empty();
  }

  /** True if the lines do not agree on a place of the laser, where they should. */
  boolean hasNoPlace() {
    return mayBeTurned && latest != null && mount.isEmpty();
  }

  /** A line, as it is to be understood after all have been seen. */
  Reading understood(Reading line) {
    Scan scan = line.scan();
    Scan understood =
        scan.mountedAt(mount(scan.mount())).upTo(nothingMet.range().orElse(scan.maxRange()));
    return new Reading(line.stampNanos(), line.odometry(), understood);
  }

  private Pose mount(Pose own) {
    Pose usual = mount.orElse(otherwise);
    return mayBeTurned && mount.isPresent() && mounts.agree(own, usual) ? own : usual;
  }
}
