package org.cartostream.slam.eval;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.StampedPose;

/**
 * The absolute trajectory error (ATE) of Sturm et al. (2012), section V-A, in the plane: the
 * estimate is laid over the reference by the rigid motion that fits the positions best, and what
 * still lies between them is the error. Poses belong together by stamp, within 0.5 ms.
 *
 * <p>A reference may have poses in between, as that of a log of which every fifth scan was taken:
 * they are passed over, but not those before and after the estimate, and where it has gaps.
 *
 * <p>A reference may have stamps of its own, as that of a motion capture system does: where less
 * than half of the stamps occur in both, the one that has more poses in the time of both is
 * interpolated at the other's stamps ({@link StampedPose#at}), between poses that are at most a
 * second apart.
 *
 * @param rmseMetres root of the mean squared distance between positions: the ATE
 * @param maxMetres the largest distance
 * @param rotationRmseRadians root of the mean squared difference in heading, after the same motion
 * @param matched number of poses compared
 * @param wanted number of poses that a partner was looked for: the reference's, or if it is
 *     interpolated, the estimate's
 * @param interpolated true if the two have stamps of their own
 */
public record TrajectoryError(
    double rmseMetres,
    double maxMetres,
    double rotationRmseRadians,
    int matched,
    int wanted,
    boolean interpolated) {

  /** The share of the reference's stamps that must lie on the estimate. */
  private static final double LEAST_SHARE_COVERED = 0.99;

  /** Poses that are farther apart than so many times the usual have a gap between them. */
  private static final int USUAL_GAPS = 4;

  /** Where less than this share of the stamps occurs in both, they are of different clocks. */
  private static final double LEAST_SHARE_IN_COMMON = 0.5;

  /**
   * And so many of the stamps must lie where both have poses: a robot may leave the cameras' view.
   */
  private static final double LEAST_SHARE_INTERPOLATED = 0.5;

  /** Over a longer gap nobody knows what the robot did. */
  private static final long LONGEST_GAP_NANOS = 1_000_000_000L;

  /** Root mean square of the distances from their centre below which positions tell no rotation. */
  private static final double LEAST_SPREAD_METRES = 0.1;

  private record Pair(Pose estimate, Pose reference) {}

  /**
   * Measures an estimate against a reference.
   *
   * @throws EvaluationException if fewer than two poses have a partner, or if fewer than 99 % of
   *     the reference's lie on the estimate; or fewer than half, if one is interpolated
   */
  public static TrajectoryError of(List<StampedPose> estimate, List<StampedPose> reference)
      throws EvaluationException {
    Trajectory run = new Trajectory(estimate);
    Trajectory truth = new Trajectory(reference);
    List<Pair> pairs = associate(run.poses(), truth.poses());
    int fewer = Math.min(estimate.size(), reference.size());
    boolean interpolated = pairs.size() < LEAST_SHARE_IN_COMMON * fewer;
    boolean truthIsFiner = truth.posesInTimeOf(run) > run.posesInTimeOf(truth);
    if (interpolated) {
      pairs = truthIsFiner ? interpolated(run, truth) : swapped(interpolated(truth, run));
    }
    int wanted = interpolated && truthIsFiner ? estimate.size() : reference.size();
    double least = (interpolated ? LEAST_SHARE_INTERPOLATED : LEAST_SHARE_COVERED) * wanted;
    int covered = interpolated ? pairs.size() : covered(truth, run);
    if (pairs.size() < 2 || covered < least) {
      throw new EvaluationException(unmatched(covered, estimate, reference, interpolated));
    }
    Pose fit = fit(pairs);
    double squares = 0;
    double largest = 0;
    double turnSquares = 0;
    for (Pair pair : pairs) {
      Pose moved = fit.then(pair.estimate);
      double distance = moved.distance(pair.reference);
      double turn = Pose.wrap(moved.theta() - pair.reference.theta());
      squares += distance * distance;
      turnSquares += turn * turn;
      largest = Math.max(largest, distance);
    }
    int n = pairs.size();
    return new TrajectoryError(
        Math.sqrt(squares / n), largest, Math.sqrt(turnSquares / n), n, wanted, interpolated);
  }

  /** How many stamps of a reference the estimate has, or passes at its own pace. */
  private static int covered(Trajectory truth, Trajectory run) {
    long longest = Math.max(LONGEST_GAP_NANOS, USUAL_GAPS * run.usualGapNanos());
    return (int)
        truth.poses().stream()
            .filter(pose -> run.interpolatedAt(pose.stampNanos(), longest).isPresent())
            .count();
  }

  private static String unmatched(
      int covered, List<StampedPose> estimate, List<StampedPose> reference, boolean interpolated) {
    return interpolated
        ? String.format(
            Locale.ROOT,
            "The trajectory (%d poses) and its reference (%d) have few stamps in common, and only"
                + " %d lie between two of the other that are at most 1 s apart; half of them"
                + " and at least 2 are needed: is it the reference of another log?",
            estimate.size(),
            reference.size(),
            covered)
        : String.format(
            Locale.ROOT,
            "Only %d of the reference's %d stamps lie on the trajectory (%d poses), at a pose or"
                + " where there is no gap; 99 %% are needed, and two at a pose: is it the reference"
                + " of another log?",
            covered,
            reference.size(),
            estimate.size());
  }

  /** The poses of the one with those of the other at their stamps. */
  private static List<Pair> interpolated(Trajectory coarse, Trajectory fine) {
    List<Pair> pairs = new ArrayList<>();
    for (StampedPose each : coarse.poses()) {
      fine.interpolatedAt(each.stampNanos(), LONGEST_GAP_NANOS)
          .ifPresent(pose -> pairs.add(new Pair(each.pose(), pose)));
    }
    return pairs;
  }

  private static List<Pair> swapped(List<Pair> pairs) {
    return pairs.stream().map(pair -> new Pair(pair.reference, pair.estimate)).toList();
  }

  /**
   * Pairs poses by stamp, both lists being sorted by it. In that order each reference pose takes
   * the nearest estimate not yet taken, so that the poses of a stamp that occurs twice pair up in
   * the order in which they were given. Estimates that no reference pose takes are passed over, by
   * their stamp and not by their distance: two of one stamp are equally far from what follows.
   */
  private static List<Pair> associate(List<StampedPose> estimate, List<StampedPose> reference) {
    List<Pair> pairs = new ArrayList<>();
    int next = 0;
    for (StampedPose wanted : reference) {
      long earliest = wanted.stampNanos() - Trajectory.SAME_STAMP_NANOS;
      while (next < estimate.size() && estimate.get(next).stampNanos() < earliest) {
        next++;
      }
      while (next + 1 < estimate.size()
          && gap(estimate.get(next + 1), wanted) < gap(estimate.get(next), wanted)) {
        next++;
      }
      if (next < estimate.size()
          && gap(estimate.get(next), wanted) <= Trajectory.SAME_STAMP_NANOS) {
        pairs.add(new Pair(estimate.get(next).pose(), wanted.pose()));
        next++;
      }
    }
    return pairs;
  }

  private static long gap(StampedPose a, StampedPose b) {
    return Math.abs(a.stampNanos() - b.stampNanos());
  }

  /**
   * The rigid motion of the estimate that makes the sum of squared distances least (Umeyama 1991
   * without scale). In the plane its rotation is the angle of the summed products of the centred
   * positions, taken as complex numbers: conj(estimate) · reference. Of a robot that stays on one
   * spot that would be the angle of chance; its headings tell the rotation, in the same way.
   */
  private static Pose fit(List<Pair> pairs) {
    double ex = 0;
    double ey = 0;
    double rx = 0;
    double ry = 0;
    for (Pair pair : pairs) {
      ex += pair.estimate.x() / pairs.size();
      ey += pair.estimate.y() / pairs.size();
      rx += pair.reference.x() / pairs.size();
      ry += pair.reference.y() / pairs.size();
    }
    double spread = 0;
    double real = 0;
    double imaginary = 0;
    double realOfHeadings = 0;
    double imaginaryOfHeadings = 0;
    for (Pair pair : pairs) {
      double ax = pair.estimate.x() - ex;
      double ay = pair.estimate.y() - ey;
      double bx = pair.reference.x() - rx;
      double by = pair.reference.y() - ry;
      real += ax * bx + ay * by;
      imaginary += ax * by - ay * bx;
      spread += (bx * bx + by * by) / pairs.size();
      double turned = pair.reference.theta() - pair.estimate.theta();
      realOfHeadings += StrictMath.cos(turned);
      imaginaryOfHeadings += StrictMath.sin(turned);
    }
    boolean stays = spread < LEAST_SPREAD_METRES * LEAST_SPREAD_METRES;
    double angle =
        stays
            ? StrictMath.atan2(imaginaryOfHeadings, realOfHeadings)
            : StrictMath.atan2(imaginary, real);
    Pose turn = new Pose(0, 0, angle);
    Pose centre = turn.then(new Pose(ex, ey, 0));
    return new Pose(rx - centre.x(), ry - centre.y(), turn.theta());
  }
}
