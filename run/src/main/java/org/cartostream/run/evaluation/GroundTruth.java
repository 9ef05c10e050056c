package org.cartostream.run.evaluation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.files.InputLog;
import org.cartostream.slam.eval.EvaluationException;
import org.cartostream.slam.eval.LoopEdgeError;
import org.cartostream.slam.eval.RelationsError;
import org.cartostream.slam.eval.RelationsFile;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogFormat;
import org.cartostream.slam.trajectory.RelativePose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.Trajectory;
import org.cartostream.slam.trajectory.TumFile;

/**
 * Ground truth by which a trajectory is measured; each list may be empty.
 *
 * @param reference the best known trajectory
 * @param loopEdges relative poses between two visits of the robot to one place
 * @param relations relative poses of the SLAM benchmark of Kümmerle et al. (2009)
 */
public record GroundTruth(
    List<StampedPose> reference, List<RelativePose> loopEdges, List<RelativePose> relations) {

  /**
   * Returns the ground truth in the log itself, or in the given files, which take precedence.
   *
   * @param reference a trajectory, or null
   * @param relations a file of relations, or null
   */
  public static GroundTruth of(LaserLog log, Path reference, Path relations) {
    return new GroundTruth(
        reference == null ? log.reference() : trajectory(reference),
        log.loopEdges(),
        relations == null ? List.of() : relations(relations));
  }

  /**
   * Returns the ground truth of files alone: {@code reference} is a trajectory, or a log that holds
   * its own.
   */
  public static GroundTruth of(Path reference, Path relations) {
    if (reference == null || isTrajectory(reference)) {
      return new GroundTruth(
          reference == null ? List.of() : trajectory(reference),
          List.of(),
          relations == null ? List.of() : relations(relations));
    }
    try (LaserLog log = InputLog.open(reference)) {
      if (log.reference().isEmpty() && log.loopEdges().isEmpty()) {
        throw ExitException.failed(
            "the log '%s' holds no reference; one of these is needed: a .tum file, %s"
                .formatted(reference, InputLog.known(LogFormat::holdsReference)));
      }
      return of(log, null, relations);
    } catch (FileFormatException e) {
      throw ExitException.failed(e.getMessage() + "; or a reference in " + TumFile.FORM, e);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  /**
   * Returns true if nothing can be measured: there is no reference, no loop edge and no relation.
   */
  public boolean isEmpty() {
    return reference.isEmpty() && loopEdges.isEmpty() && relations.isEmpty();
  }

  /**
   * Measures a trajectory by all of the ground truth, and lists the metrics that could not be
   * computed.
   *
   * @param isPart true if readings are known to be missing, as in a damaged log or after refusals
   */
  public Accuracy measure(List<StampedPose> trajectory, boolean isPart) {
    return measure(trajectory, reference, isPart);
  }

  /** Measures the trajectory of a run that ended at a stamp, by the reference up to that stamp. */
  public Accuracy measure(List<StampedPose> trajectory, boolean isPart, long endNanos) {
    return measure(trajectory, new Trajectory(reference).upTo(endNanos).poses(), isPart);
  }

  private Accuracy measure(
      List<StampedPose> trajectory, List<StampedPose> reached, boolean isPart) {
    List<String> unmeasured = new ArrayList<>();
    Optional<TrajectoryError> ate =
        metric(reference, () -> trajectoryError(trajectory, reached, isPart), unmeasured);
    Optional<LoopEdgeError> loops =
        metric(loopEdges, () -> LoopEdgeError.of(trajectory, loopEdges), unmeasured);
    Optional<RelationsError> related =
        metric(relations, () -> RelationsError.of(trajectory, relations), unmeasured);
    return new Accuracy(
        ate.map(TrajectoryError::rmseMetres).orElse(null),
        ate.map(TrajectoryError::maxMetres).orElse(null),
        ate.map(TrajectoryError::matched).orElse(null),
        ate.map(TrajectoryError::wanted).orElse(null),
        ate.map(TrajectoryError::interpolated).orElse(null),
        ate.filter(error -> isPart && error.matched() < error.wanted())
            .map(any -> true)
            .orElse(null),
        loops.map(LoopEdgeError::medianMetres).orElse(null),
        loops.map(LoopEdgeError::p95Metres).orElse(null),
        loops.map(LoopEdgeError::evaluated).orElse(null),
        related.map(RelationsError::all).orElse(null),
        related.flatMap(RelationsError::distant).orElse(null),
        related.flatMap(RelationsError::atPoses).orElse(null),
        related.flatMap(RelationsError::distantAtPoses).orElse(null),
        unmeasured,
        null);
  }

  private TrajectoryError trajectoryError(
      List<StampedPose> trajectory, List<StampedPose> reached, boolean isPart)
      throws EvaluationException {
    if (reached.isEmpty()) {
      throw new EvaluationException(
          "All of the reference's "
              + reference.size()
              + " stamps are later than the end of the trajectory: is it the reference of another"
              + " log?");
    }
    return TrajectoryError.of(trajectory, reached, isPart);
  }

  private interface Metric<T> {
    T measure() throws EvaluationException;
  }

  private static <T> Optional<T> metric(List<?> truth, Metric<T> metric, List<String> unmeasured) {
    if (truth.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(metric.measure());
    } catch (EvaluationException e) {
      unmeasured.add(e.getMessage());
      return Optional.empty();
    }
  }

  /** Reads the trajectory in a TUM file. */
  public static List<StampedPose> trajectory(Path file) {
    try {
      List<StampedPose> poses = TumFile.read(file);
      if (poses.isEmpty()) {
        throw ExitException.failed("the trajectory '" + file + "' holds no poses");
      }
      return poses;
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  private static List<RelativePose> relations(Path file) {
    try {
      return RelationsFile.read(file);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  /**
   * Returns true if the file's content is a trajectory. The file's name does not matter: TUM's own
   * data sets call it groundtruth.txt.
   */
  private static boolean isTrajectory(Path file) {
    try {
      return !Files.exists(file) || TumFile.isTrajectory(file);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }
}
