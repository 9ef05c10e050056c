package org.cartostream.slam.log.carmen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.cartostream.slam.geometry.Pose;

/**
 * Checks whether the two poses on a log's lines give the laser's mount on the robot. Some do not:
 * loggers and tools write a corrected pose for the laser's, beside the robot's by odometry. What
 * lies between these two grows as the robot drives; a mount stays.
 *
 * <p>Owns what was seen of the log.
 */
final class LoggedMountCheck {

  /** Farther away from the base, metres, no laser is mounted. */
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

  /** A line says that the laser is there, seen from the robot. */
  void add(Pose mount) {
    if (mount.isFinite()) {
      all.add(mount);
    }
  }

  /** The one on which most lines agree; none if they do not, or if there are no lines. */
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
