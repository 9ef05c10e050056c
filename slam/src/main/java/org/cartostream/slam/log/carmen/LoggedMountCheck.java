package org.cartostream.slam.log.carmen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.cartostream.slam.geometry.Pose;

/**
 * Check whether the two poses on a log's lines, the laser's and the robot's, give the laser's mount
 * on the robot. In some logs the laser's pose is a corrected one and the robot's is odometry: their
 * difference grows as the robot drives, whereas a mount is constant.
 *
 * <p>Owns the differences of all lines.
 */
final class LoggedMountCheck {

  /** Maximum distance of a mount from the base, metres. */
  private static final double MAX = 5;

  /** Share of the lines that must agree. */
  private static final double SHARE = 0.9;

  private final double metres;
  private final double radians;
  private final List<Pose> all = new ArrayList<>();

  /**
   * @param metres largest distance between mounts that agree
   * @param radians largest difference of their headings
   */
  LoggedMountCheck(double metres, double radians) {
    this.metres = metres;
    this.radians = radians;
  }

  /** Adds the laser's pose relative to the robot's, as a line gives it. */
  void add(Pose mount) {
    if (mount.isFinite()) {
      all.add(mount);
    }
  }

  /**
   * Returns the mount on which at least {@link #SHARE} of the lines agree; empty if there is none.
   */
  Optional<Pose> usual() {
    Pose middle = new Pose(median(Pose::x), median(Pose::y), median(Pose::theta));
    long agree = all.stream().filter(each -> agree(each, middle)).count();
    boolean isOnRobot = StrictMath.hypot(middle.x(), middle.y()) <= MAX;
    return isOnRobot && !all.isEmpty() && agree >= SHARE * all.size()
        ? Optional.of(middle)
        : Optional.empty();
  }

  private double median(ToDoubleFunction<Pose> part) {
    double[] sorted = all.stream().mapToDouble(part).toArray();
    Arrays.sort(sorted);
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }

  boolean agree(Pose one, Pose other) {
    return one.distance(other) <= metres
        && StrictMath.abs(Pose.wrap(one.theta() - other.theta())) <= radians;
  }
}
