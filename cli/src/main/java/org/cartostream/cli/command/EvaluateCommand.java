package org.cartostream.cli.command;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.cartostream.cli.options.GroundTruthOptions;
import org.cartostream.cli.options.JsonOption;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.evaluation.Accuracy;
import org.cartostream.run.evaluation.GroundTruth;
import org.cartostream.run.exit.ExitException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code cartostream evaluate}. */
@Command(
    name = "evaluate",
    description = {
      "Measure a trajectory: ATE against a reference, the error at loop edges, and the relations"
          + " metric.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  cartostream evaluate my.tum --reference true.tum",
      "  cartostream evaluate my.tum --reference killian.g2o.zip",
      "  cartostream evaluate my.tum --relations intel.relations"
    })
public final class EvaluateCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "TRAJECTORY.tum|RUN",
      description =
          "One pose a line: t x y z qx qy qz qw, in seconds and metres; or the folder of a run that"
              + " has it.")
  private Path trajectory;

  @Mixin private GroundTruthOptions groundTruth;

  @Mixin private JsonOption json;

  @Override
  public Integer call() {
    if (!groundTruth.given()) {
      throw ExitException.wrongUsage(
          "there is nothing to measure by: give --reference FILE, --relations FILE, or both");
    }
    Path ofRun = trajectory.resolve(FileSink.TRAJECTORY);
    Path file = Files.isRegularFile(ofRun) ? ofRun : trajectory;
    Accuracy accuracy = groundTruth.read().measure(GroundTruth.trajectory(file), false);
    PrintWriter out = spec.commandLine().getOut();
    if (json.isAsked()) {
      JsonOption.print(out, accuracy);
    } else {
      out.print(accuracy.lines());
    }
    out.flush();
    return accuracy.unmeasured().isEmpty() ? 0 : ExitException.FAILED;
  }
}
