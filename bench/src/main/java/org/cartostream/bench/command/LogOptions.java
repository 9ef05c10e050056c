package org.cartostream.bench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.bench.accuracy.LogBench;
import org.cartostream.bench.accuracy.ReferenceLog;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.run.exit.ShutdownRequest;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of measurements of whole logs: the logs, the seeds, and the folder of the figures. */
final class LogOptions {

  @Option(names = "--logs", paramLabel = "DIR", description = "A folder of logs with references.")
  private Path logs;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      split = ",",
      description = "Only these logs, by name, as in --only intel,aces.")
  private List<String> only = List.of();

  @Mixin private SeedsOption seeds;

  @Mixin private LimitOption limit;

  @Mixin private ResultFolderOption out;
  @Mixin private ConfigurationOptions configuration;

  List<Long> seeds() {
    return seeds.list();
  }

  /** Returns the folder for the figures and each run's files; it is made if it is missing. */
  Path out() {
    return out.prepare();
  }

  LogBench bench(PrintWriter progress, ShutdownRequest shutdownRequest) {
    return new LogBench(limit.scans(), configuration::settings, out(), progress, shutdownRequest);
  }

  /** Returns the logs to measure; there is at least one. */
  List<ReferenceLog> logs(LogBench bench) throws IOException {
    return bench.logs(logs, only);
  }
}
