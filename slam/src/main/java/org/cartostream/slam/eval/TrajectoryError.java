package org.cartostream.slam.eval;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.Trajectory;

/**
 * The absolute trajectory error (ATE) of Sturm et al. (2012), section V-A, in the plane: the
 * estimate is aligned with the reference by the rigid motion that fits the positions best, and the
 * remaining distances are the error. Poses belong together by stamp, within 0.5 ms.
 *
 * <p>A reference may have more poses than the estimate, as when only every fifth scan of a log was
 * used: reference poses between two estimates are passed over. Not passed over are those before and
 * after the estimate, and those in gaps that are much longer than the estimate's usual stride.
 *
 * <p>A reference may have stamps of its own, as that of a motion capture system does: where less
 * than half of the stamps occur in both, the trajectory that has more poses in the time of both is
 * interpolated at the stamps of the other ({@link StampedPose#at}), between poses that are at most
 * a second apart.
 *
 * @param rmseMetres root of the mean squared distance between positions: the ATE
 * @param maxMetres the largest distance
 * @param rotationRmseRadians root of the mean squared difference in heading, after the alignment
 * @param matched number of poses compared
 * @param wanted number of poses for which a partner was looked for: all of the reference's; or, if
 *     the reference is interpolated, the estimate's poses in the reference's time
 * @param interpolated true if estimate and reference have different stamps, so that one was
 *     interpolated
 * @param fit the rigid motion that lays the estimate over the reference
 */
public record TrajectoryError(
    double rmseMetres,
    double maxMetres,
    double rotationRmseRadians,
    int matched,
    int wanted,
    boolean interpolated,
    Pose fit) {

  /** The share of the reference's stamps that must lie on the estimate. */
  private static final double MIN_SHARE_COVERED = 0.99;

  /**
   * Multiple of the usual stride, in poses of the reference, beyond which poses count as left out.
   */
  private static final int USUAL_STRIDES = 4;

  /**
   * Least share of the reference's poses with a partner at which poses passed over count as
   * covered.
   */
  private static final double MIN_SHARE_MATCHED = 0.1;

  /** Least share of stamps that occur in both trajectories; below it one is interpolated. */
  private static final double MIN_SHARE_IN_COMMON = 0.5;

  /**
   * Least share of the stamps at which an interpolated pose is known: a robot may leave the view of
   * a motion capture system.
   */
  private static final double MIN_SHARE_INTERPOLATED = 0.5;

  /** Longest gap between two poses that is interpolated. */
  private static final long MAX_GAP_NANOS = 1_000_000_000L;

  /**
   * RMS distance of positions from their centre below which headings, not positions, give the
   * rotation.
   */
  private static final double MIN_DEVIATION_METRES = 0.1;

  private static final int NO_PARTNER = -1;

  private record Pair(Pose estimate, Pose reference) {}

  /**
   * Measures an estimate against a reference.
   *
   * @throws EvaluationException if fewer than two poses have a partner, or if fewer than 99 % of
   *     the reference's lie on the estimate; or fewer than half, if one is interpolated
   */
  public static TrajectoryError of(List<StampedPose> estimate, List<StampedPose> reference)
      throws EvaluationException {
    return of(estimate, reference, false);
  }

  /**
   * Compares an estimate of a log that may have gaps with its reference.
   *
   * @param isPart true if readings of the estimate's log are known to be missing: those poses that
   *     have a partner are measured, however few of the reference's they are
   */
  public static TrajectoryError of(
      List<StampedPose> estimate, List<StampedPose> reference, boolean isPart)
      throws EvaluationException {
    Trajectory run = new Trajectory(estimate);
    Trajectory truth = new Trajectory(reference);
    int[] partners = partners(run.poses(), truth.poses());
    List<Pair> pairs = pairs(partners, run.poses(), truth.poses());
    int fewer = Math.min(estimate.size(), reference.size());
    boolean interpolated = pairs.size() < MIN_SHARE_IN_COMMON * fewer;
    boolean truthIsFiner = truth.posesInTimeOf(run) > run.posesInTimeOf(truth);
    if (interpolated) {
      pairs = truthIsFiner ? interpolated(run, truth) : swapped(interpolated(truth, run));
    }
    int wanted = interpolated && truthIsFiner ? run.posesInTimeOf(truth) : reference.size();
    double min = (interpolated ? MIN_SHARE_INTERPOLATED : MIN_SHARE_COVERED) * wanted;
    int covered = interpolated ? pairs.size() : covered(partners);
    if (pairs.size() < 2 || (covered < min && !isPart)) {
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
        Math.sqrt(squares / n), largest, Math.sqrt(turnSquares / n), n, wanted, interpolated, fit);
  }

  /**
   * Returns how many poses of a reference have a partner, or lie in a gap of the usual stride.
   *
   * @param partners see {@link #partners}
   */
  private static int covered(int[] partners) {
    int[] matched =
        IntStream.range(0, partners.length).filter(i -> partners[i] != NO_PARTNER).toArray();
    if (matched.length < 2 || matched.length < MIN_SHARE_MATCHED * partners.length) {
      return matched.length;
    }
    int[] strides =
        IntStream.range(1, matched.length).map(i -> matched[i] - matched[i - 1]).toArray();
    int usual = IntStream.of(strides).sorted().toArray()[strides.length / 2];
    int before = matched[0];
    int after = partners.length - 1 - matched[matched.length - 1];
    return partners.length
        - (before > usual ? before : 0)
        - (after > usual ? after : 0)
        - IntStream.of(strides).filter(each -> each > USUAL_STRIDES * usual).map(i -> i - 1).sum();
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
            "The trajectory (%d poses) covers only %d of the reference's %d stamps; 99 %% and at least 2"
                + " are needed: is it the reference of another log, or of a longer drive?",
            estimate.size(),
            covered,
            reference.size());
  }

  /** Pairs the poses of {@code coarse} with poses of {@code fine}, interpolated at their stamps. */
  private static List<Pair> interpolated(Trajectory coarse, Trajectory fine) {
    List<Pair> pairs = new ArrayList<>();
    for (StampedPose each : coarse.poses()) {
      fine.interpolatedAt(each.stampNanos(), MAX_GAP_NANOS)
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
   *
   * @return for each pose of the reference its partner's place, or {@link #NO_PARTNER}
   */
  private static int[] partners(List<StampedPose> estimate, List<StampedPose> reference) {
    int[] partners = new int[reference.size()];
    int next = 0;
    for (int i = 0; i < partners.length; i++) {
      StampedPose wanted = reference.get(i);
      long earliest = wanted.stampNanos() - Trajectory.SAME_STAMP_NANOS;
      while (next < estimate.size() && estimate.get(next).stampNanos() < earliest) {
        next++;
      }
      while (next + 1 < estimate.size()
          && gap(estimate.get(next + 1), wanted) < gap(estimate.get(next), wanted)) {
        next++;
      }
      boolean isThere =
          next < estimate.size() && gap(estimate.get(next), wanted) <= Trajectory.SAME_STAMP_NANOS;
      partners[i] = isThere ? next++ : NO_PARTNER;
    }
    return partners;
  }

  private static List<Pair> pairs(
      int[] partners, List<StampedPose> estimate, List<StampedPose> reference) {
    return IntStream.range(0, partners.length)
        .filter(i -> partners[i] != NO_PARTNER)
        .mapToObj(i -> new Pair(estimate.get(partners[i]).pose(), reference.get(i).pose()))
        .toList();
  }

  private static long gap(StampedPose a, StampedPose b) {
    return Math.abs(a.stampNanos() - b.stampNanos());
  }

  /**
   * Returns the rigid motion of the estimate that minimises the sum of squared distances (Umeyama
   * 1991 without scale). In the plane its rotation is the angle of the summed products of the
   * centred positions, taken as complex numbers: conj(estimate) · reference. For a robot that stays
   * on one spot that angle would be random, so its rotation is computed from the headings in the
   * same way.
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
    boolean stays = spread < MIN_DEVIATION_METRES * MIN_DEVIATION_METRES;
    double angle =
        stays
            ? StrictMath.atan2(imaginaryOfHeadings, realOfHeadings)
            : StrictMath.atan2(imaginary, real);
    Pose turn = new Pose(0, 0, angle);
    Pose centre = turn.then(new Pose(ex, ey, 0));
    return new Pose(rx - centre.x(), ry - centre.y(), turn.theta());
  }
}
