package org.cartostream.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cartostream.bench.accuracy.ReferenceLog;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.OptionChecks;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.LogRun;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.evaluation.GroundTruth;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.DataSets;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.report.RunReport;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.text.TextLogs;
import org.cartostream.slam.sensor.Reading;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What is common to the measurements of whole logs: which logs, which runs, and where to. */
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

  /**
   * Runs one log once.
   *
   * @param particles as the flag says; null for the configuration's
   */
  RunReport replay(
      ReferenceLog log,
      Engine.Kind engine,
      String particles,
      long seed,
      PrintWriter progress,
      ShutdownRequest shutdownRequest) {
    RootSettings settings = settings(particles, seed);
    int count = settings.slam().particles();
    Path folder = out().resolve(log.name() + "-" + count + "-seed" + seed);
    progress.println(log.name() + ", " + count + " particles, seed " + seed + ":");
    return new LogRun(
            settings,
            engine,
            Pace.MAX,
            InputLog.robotId(log.file()),
            log.file(),
            limit,
            folder,
            Optional.empty())
        .run(
            scans -> GroundTruth.of(scans, log.reference(), log.relations()),
            progress,
            shutdownRequest);
  }

  /**
   * The configuration of a run.
   *
   * @param particles as the flag says; null for the configuration's
   */
  RootSettings settings(String particles, long seed) {
    Map<String, String> flags = new HashMap<>();
    flags.put("slam.seed", Long.toString(seed));
    flags.put("slam.particles", particles);
    return configuration.settings(flags);
  }

  /** The readings of a log that are taken and are no refusals. */
  List<Reading> readings(ReferenceLog log) throws IOException {
    try (LaserLog scans = TextLogs.open(log.file(), configuration.settings(Map.of()).carmen())) {
      return scans.readings(limit);
    }
  }

  /**
   * The logs to measure; there is at least one.
   *
   * @param err says which data sets are left out, and why
   * @throws ExitException if there are none, if one that was asked for is not there, or if nothing
   *     of them is to be taken
   */
  List<ReferenceLog> logsToMeasure(PrintWriter err) throws IOException {
    OptionChecks.atLeastOne("--limit", limit);
    List<ReferenceLog> all = new ArrayList<>(logs == null ? List.of() : ReferenceLog.in(logs));
    DataSets dataSets = DataSets.installed();
    for (String name : dataSets.list().keySet()) {
      if (only.contains(name)) {
        all.add(new ReferenceLog(name, dataSets.fetch(name), null, null));
      } else if (only.isEmpty()) {
        addIfThere(name, dataSets, all, err);
      }
    }
    List<String> names = all.stream().map(ReferenceLog::name).toList();
    for (String name : only) {
      if (!names.contains(name)) {
        throw ExitException.wrongUsage(
            "--only " + name + ": no such log; there are: " + String.join(", ", names));
      }
    }
    if (all.isEmpty()) {
      throw ExitException.failed("there are no logs to measure; --logs DIR names a folder of them");
    }
    return all.stream().filter(log -> only.isEmpty() || only.contains(log.name())).toList();
  }

  /** Without a network, and nothing in the cache, the other logs can still be measured. */
  private static void addIfThere(
      String name, DataSets dataSets, List<ReferenceLog> all, PrintWriter err) {
    try {
      all.add(new ReferenceLog(name, dataSets.fetch(name), null, null));
    } catch (ExitException e) {
      err.println(name + " is left out: " + e.getMessage());
    }
  }
}
