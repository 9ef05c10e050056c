package org.cartostream.slam.eval;

import java.util.List;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.RelativePose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.Trajectory;

/**
 * The error of a trajectory at known loops: for each loop edge of a pose graph, the distance
 * between the later pose by the edge and by the trajectory, both relative to the earlier pose.
 * Needs no alignment, and one open loop shows even where ATE is small.
 *
 * @param medianMetres median of the errors
 * @param p95Metres 95th percentile of the errors; both interpolate linearly between ranks
 * @param evaluated number of edges with both ends on the trajectory, within 0.5 ms
 * @param edges number of edges given
 */
public record LoopEdgeError(double medianMetres, double p95Metres, int evaluated, int edges) {

  /**
   * Measures a trajectory by loop edges. Edges with an end off the trajectory are left out of the
   * error, but counted: a run over the beginning of a log has only the loops up to there.
   *
   * @throws EvaluationException if no edge has both ends on the trajectory
   */
  public static LoopEdgeError of(List<StampedPose> estimate, List<RelativePose> edges)
      throws EvaluationException {
    Trajectory trajectory = new Trajectory(estimate);
    double[] errors =
        edges.stream()
            .map(edge -> error(trajectory, edge))
            .flatMap(Optional::stream)
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    if (errors.length == 0) {
      throw new EvaluationException(
          "None of the "
              + edges.size()
              + " loop edges has both ends on the trajectory ("
              + estimate.size()
              + " poses) within 0.5 ms: are they of another log?");
    }
    return new LoopEdgeError(
        quantile(errors, 0.5), quantile(errors, 0.95), errors.length, edges.size());
  }

  private static Optional<Double> error(Trajectory trajectory, RelativePose edge) {
    Optional<Pose> from = trajectory.at(edge.fromNanos());
    Optional<Pose> to = trajectory.at(edge.toNanos());
    return from.isEmpty() || to.isEmpty()
        ? Optional.empty()
        : Optional.of(edge.motion().distance(from.get().to(to.get())));
  }

  /** Returns the quantile {@code share} (0 to 1) of sorted values, interpolated linearly. */
  static double quantile(double[] sorted, double share) {
    double rank = share * (sorted.length - 1);
    int below = (int) rank;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
  }
}
