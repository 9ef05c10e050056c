package org.cartostream.slam.trajectory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;

/**
 * The poses of a run by stamp. Poses of one stamp keep the order in which they were given.
 *
 * @param poses sorted by stamp
 */
public record Trajectory(List<StampedPose> poses) {

  /** Stamps this close name the same moment: text formats round to microseconds. Nanoseconds. */
  public static final long SAME_STAMP_NANOS = 500_000;

  public Trajectory {
    List<StampedPose> sorted = new ArrayList<>(poses);
    sorted.sort(Comparator.comparingLong(StampedPose::stampNanos));
    poses = List.copyOf(sorted);
  }

  /** Returns the part up to and including a stamp, as a reference for a run that stopped there. */
  public Trajectory upTo(long stampNanos) {
    return new Trajectory(
        poses.subList(0, StampedPose.firstFrom(stampNanos + SAME_STAMP_NANOS + 1, poses)));
  }

  /** The pose at the stamp nearest to {@code stampNanos}, if it is the same within 0.5 ms. */
  public Optional<Pose> at(long stampNanos) {
    int above = StampedPose.firstFrom(stampNanos, poses);
    int nearest = above;
    if (above == poses.size()
        || (above > 0 && gap(above - 1, stampNanos) < gap(above, stampNanos))) {
      nearest = above - 1;
    }
    return nearest < 0 || gap(nearest, stampNanos) > SAME_STAMP_NANOS
        ? Optional.empty()
        : Optional.of(poses.get(nearest).pose());
  }

  /**
   * The pose at any stamp between the first and the last: between two poses the robot is taken to
   * move straight and to turn evenly, the short way. Up to 0.5 ms outside, the end's pose; farther
   * out, none.
   */
  public Optional<Pose> interpolatedAt(long stampNanos) {
    return interpolatedAt(stampNanos, Long.MAX_VALUE);
  }

  /** Returns the interpolated pose; empty between poses more than {@code maxNanosApart} apart. */
  public Optional<Pose> interpolatedAt(long stampNanos, long maxNanosApart) {
    int above = StampedPose.firstFrom(stampNanos, poses);
    if (above == 0 || above == poses.size()) {
      return at(stampNanos);
    }
    StampedPose before = poses.get(above - 1);
    StampedPose after = poses.get(above);
    return after.stampNanos() - before.stampNanos() > maxNanosApart
        ? at(stampNanos)
        : Optional.of(before.at(stampNanos, after));
  }

  /** Returns the number of poses between the other trajectory's first and last stamps. */
  public int posesInTimeOf(Trajectory other) {
    if (other.poses.isEmpty()) {
      return 0;
    }
    int from = StampedPose.firstFrom(other.poses.get(0).stampNanos(), poses);
    long last = other.poses.get(other.poses.size() - 1).stampNanos();
    return Math.max(0, StampedPose.firstFrom(last + 1, poses) - from);
  }

  private long gap(int index, long stampNanos) {
    return Math.abs(poses.get(index).stampNanos() - stampNanos);
  }
}
