package org.cartostream.cli.options;

import java.nio.file.Path;
import org.cartostream.run.evaluation.GroundTruth;
import org.cartostream.slam.log.LaserLog;
import picocli.CommandLine.Option;

/** Options that name the ground truth of a trajectory. */
public final class GroundTruthOptions {

  @Option(
      names = "--reference",
      paramLabel = "FILE",
      description =
          "The best known trajectory (TUM format), or a log that holds one: prints ATE and, from a"
              + " log, the error of its loop edges.")
  private Path reference;

  @Option(
      names = "--relations",
      paramLabel = "FILE",
      description = "Relations of the SLAM benchmark of Kuemmerle et al. (2009).")
  private Path relations;

  /** Reads the ground truth from the files. */
  public GroundTruth read() {
    return GroundTruth.of(reference, relations);
  }

  /** Reads the ground truth from the named files; without a reference file, from the log itself. */
  public GroundTruth read(LaserLog log) {
    return reference == null ? GroundTruth.of(log, null, relations) : read();
  }

  /** Returns true if the user named a file of ground truth. */
  public boolean given() {
    return reference != null || relations != null;
  }
}
