package org.cartostream.slam.eval;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.RelativePose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.Trajectory;

/**
 * The metric of Kümmerle, Steder, Dornhege, Ruhnke, Grisetti, Stachniss and Kleiner, "On measuring
 * the accuracy of SLAM algorithms" (2009), section 3: for each relation that a person has checked
 * by matching the scans, how far the trajectory's own motion between the two stamps is off.
 *
 * <p>Stamps may lie between poses; there the trajectory is interpolated, straight and turning the
 * short way. Where key frames are far apart, interpolation alone is an error: the reference path of
 * {@code intel} itself has 0.126 m. The paper does not fix this rule, so figures from other
 * evaluators may use another one. The rule does not matter where both stamps are a pose's: nothing
 * is interpolated there. Relations with a stamp outside the trajectory are left out of the error,
 * but counted.
 *
 * @param all errors of all relations
 * @param distant errors of relations whose stamps are more than 60 s apart, which show whether
 *     places fit that were visited again; empty if there are none
 * @param atPoses errors of relations of which both stamps are a pose's, within 0.5 ms, so that
 *     nothing is interpolated; empty if there are none
 * @param distantAtPoses errors of those relations in {@code atPoses} whose stamps are more than 60
 *     s apart
 * @param relations number of relations given
 */
public record RelationsError(
    Summary all,
    Optional<Summary> distant,
    Optional<Summary> atPoses,
    Optional<Summary> distantAtPoses,
    int relations) {

  private static final long DISTANT_NANOS = 60_000_000_000L;

  /**
   * Mean and standard deviation (of the population) of the errors.
   *
   * @param meanMetres of the translation
   * @param stdMetres of the translation
   * @param meanDegrees of the rotation, as absolute values
   * @param stdDegrees of the rotation, as absolute values
   * @param evaluated number of relations measured
   */
  public record Summary(
      double meanMetres, double stdMetres, double meanDegrees, double stdDegrees, int evaluated) {

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%.3f ± %.3f m, %.2f ± %.2f degrees over %d relations",
          meanMetres,
          stdMetres,
          meanDegrees,
          stdDegrees,
          evaluated);
    }
  }

  private record Error(double metres, double degrees, boolean distant, boolean atPoses) {}

  /**
   * Measures a trajectory by relations.
   *
   * @throws EvaluationException if no relation lies within the trajectory
   */
  public static RelationsError of(List<StampedPose> estimate, List<RelativePose> relativePoses)
      throws EvaluationException {
    Trajectory trajectory = new Trajectory(estimate);
    List<Error> errors =
        relativePoses.stream().map(r -> error(trajectory, r)).flatMap(Optional::stream).toList();
    if (errors.isEmpty()) {
      throw new EvaluationException(
          "None of the "
              + relativePoses.size()
              + " relations lies within the trajectory's stamps ("
              + estimate.size()
              + " poses): are they of another log?");
    }
    return new RelationsError(
        summary(errors).orElseThrow(),
        summary(where(errors, Error::distant)),
        summary(where(errors, Error::atPoses)),
        summary(where(errors, error -> error.distant && error.atPoses)),
        relativePoses.size());
  }

  private static Optional<Error> error(Trajectory trajectory, RelativePose relativePose) {
    Optional<Pose> from = trajectory.interpolatedAt(relativePose.fromNanos());
    Optional<Pose> to = trajectory.interpolatedAt(relativePose.toNanos());
    if (from.isEmpty() || to.isEmpty()) {
      return Optional.empty();
    }
    Pose difference = relativePose.motion().to(from.get().to(to.get()));
    return Optional.of(
        new Error(
            difference.distance(Pose.ORIGIN),
            Math.toDegrees(Math.abs(difference.theta())),
            Math.abs(relativePose.toNanos() - relativePose.fromNanos()) > DISTANT_NANOS,
            trajectory.at(relativePose.fromNanos()).isPresent()
                && trajectory.at(relativePose.toNanos()).isPresent()));
  }

  private static List<Error> where(List<Error> errors, Predicate<Error> holds) {
    return errors.stream().filter(holds).toList();
  }

  private static Optional<Summary> summary(List<Error> errors) {
    if (errors.isEmpty()) {
      return Optional.empty();
    }
    double[] metres = errors.stream().mapToDouble(Error::metres).toArray();
    double[] degrees = errors.stream().mapToDouble(Error::degrees).toArray();
    return Optional.of(
        new Summary(
            mean(metres), deviation(metres), mean(degrees), deviation(degrees), errors.size()));
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double deviation(double[] values) {
    double mean = mean(values);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt(squares / values.length);
  }
}
