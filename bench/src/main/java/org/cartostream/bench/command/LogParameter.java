package org.cartostream.bench.command;

import java.nio.file.Path;
import org.cartostream.run.files.DataSets;
import org.cartostream.run.files.InputLog;
import picocli.CommandLine.Parameters;

/** Parameter that names the log of a measurement. */
final class LogParameter {

  @Parameters(
      index = "0",
      paramLabel = "LOG",
      completionCandidates = InputLog.Formats.class,
      description =
          "${COMPLETION-CANDIDATES}; or a data set's name ('cartostream datasets' lists them).")
  private String log;

  /** Returns the log's file. */
  Path file() {
    return InputLog.resolve(log, DataSets.installed());
  }
}
