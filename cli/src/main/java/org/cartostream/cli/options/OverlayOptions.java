package org.cartostream.cli.options;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.evaluation.GroundTruth;
import org.cartostream.run.exit.ExitException;
import org.cartostream.slam.eval.EvaluationException;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.web.playback.OtherPath;
import picocli.CommandLine.Option;

/** Options that draw other paths over a run's path. */
public final class OverlayOptions {

  @Option(
      names = "--overlay",
      paramLabel = "DIR",
      description =
          "Draw the path of another run over it, with its robot, at the same moments; may be given"
              + " several times.")
  private List<Path> overlays = List.of();

  @Option(
      names = "--reference",
      paramLabel = "FILE",
      description =
          "Draw the best known trajectory over it (TUM format, or a log that holds one), laid where it"
              + " fits best.")
  private Path reference;

  /**
   * Reads the paths that are drawn over the run's path.
   *
   * @param path path of the run
   */
  public List<OtherPath> read(List<StampedPose> path) throws IOException {
    List<OtherPath> others = new ArrayList<>();
    if (reference != null) {
      others.add(new OtherPath("reference", true, laidOver(path)));
    }
    for (Path each : overlays) {
      others.add(
          new OtherPath(
              each.toAbsolutePath().normalize().getFileName().toString(),
              false,
              TumFile.read(each.resolve(FileSink.TRAJECTORY))));
    }
    return others;
  }

  private List<StampedPose> laidOver(List<StampedPose> path) {
    List<StampedPose> known = GroundTruth.of(reference, null).reference();
    try {
      Pose fit = TrajectoryError.of(path, known, true).fit().inverse();
      return known.stream()
          .map(each -> new StampedPose(each.stampNanos(), fit.then(each.pose())))
          .toList();
    } catch (EvaluationException e) {
      throw ExitException.failed("--reference " + reference + ": " + e.getMessage(), e);
    }
  }
}
