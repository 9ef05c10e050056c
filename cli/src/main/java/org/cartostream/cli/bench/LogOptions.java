package org.cartostream.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.bench.accuracy.LogBench;
import org.cartostream.bench.accuracy.ReferenceLog;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.OptionChecks;
import org.cartostream.cli.options.Seeds;
import org.cartostream.run.exit.ShutdownRequest;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of measurements of whole logs: the logs, the seeds, and the folder of the figures. */
final class LogOptions {

  /** Seeds, with a sentence where they are none. */
  static final class SeedsConverter implements ITypeConverter<Seeds> {
    @Override
    public Seeds convert(String text) {
      try {
        return Seeds.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            "'" + text + "' names no seeds; 1..5 or 1,2,7 would: " + e.getMessage());
      }
    }
  }

  @Option(names = "--logs", paramLabel = "DIR", description = "A folder of logs with references.")
  private Path logs;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      split = ",",
      description = "Only these logs, by name, as in --only intel,aces.")
  private List<String> only = List.of();

  @Option(
      names = "--seeds",
      paramLabel = "S",
      defaultValue = "1..5",
      converter = SeedsConverter.class,
      description = "The seeds, as 1..5 or 1,2,7. Default: 1..5.")
  private Seeds seeds;

  @Option(
      names = "--limit",
      paramLabel = "K",
      description = "Take at most so many scans from each log. Default: all.")
  private long limit = Long.MAX_VALUE;

  @Mixin private ResultFolderOption out;
  @Mixin private ConfigurationOptions configuration;

  List<Long> seeds() {
    return seeds.list();
  }

  /** The folder for the figures and each run's files. */
  Path out() {
    return out.prepare();
  }

  LogBench bench(PrintWriter progress, ShutdownRequest shutdownRequest) {
    OptionChecks.atLeastOne("--limit", limit);
    return new LogBench(limit, configuration::settings, out(), progress, shutdownRequest);
  }

  /** The logs to measure; there is at least one. */
  List<ReferenceLog> logs(LogBench bench) throws IOException {
    return bench.logs(logs, only);
  }
}
