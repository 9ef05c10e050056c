package org.cartostream.bench.accuracy;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.LogRun;
import org.cartostream.run.checkpoint.CheckpointUse;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.evaluation.GroundTruth;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.DataSets;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.report.RunReport;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.sensor.Reading;

/**
 * Runs whole logs once or more, as measurements of accuracy and of the filter want it: finds the
 * logs and replays each with a number of particles and a seed.
 *
 * @param limit most scans to take from each log
 * @param configuration makes the settings, given values for some of their keys
 * @param folder for each run's files, in folders of their own
 * @param progress for people
 * @param shutdownRequest ends a run early
 */
public record LogBench(
    long limit,
    Function<Map<String, String>, RootSettings> configuration,
    Path folder,
    PrintWriter progress,
    ShutdownRequest shutdownRequest) {

  /**
   * Runs one log once.
   *
   * @param particles null for the configuration's
   */
  public RunReport replay(ReferenceLog log, Engine.Kind engine, String particles, long seed) {
    RootSettings settings = settings(particles, seed);
    int count = settings.slam().particles();
    progress.println(log.name() + ", " + count + " particles, seed " + seed + ":");
    LogRun.Input input =
        new LogRun.Input(
            List.of(log.file()),
            limit,
            InputLog.robotId(log.file()),
            Optional.empty(),
            Optional.empty());
    Path files = folder.resolve(log.name() + "-" + count + "-seed" + seed);
    return new LogRun(settings, engine, Pace.MAX, input, files, Optional.empty(), CheckpointUse.OFF)
        .run(
            scans -> GroundTruth.of(scans, log.reference(), log.relations()),
            progress,
            shutdownRequest,
            List.of());
  }

  /**
   * The configuration of a run.
   *
   * @param particles null for the configuration's
   */
  public RootSettings settings(String particles, long seed) {
    Map<String, String> flags = new HashMap<>();
    flags.put("slam.seed", Long.toString(seed));
    flags.put("slam.particles", particles);
    return configuration.apply(flags);
  }

  /** The readings of a log that are taken and are no refusals. */
  public List<Reading> readings(ReferenceLog log) throws IOException {
    try (LaserLog scans = InputLog.open(List.of(log.file()), configuration.apply(Map.of()))) {
      return scans.readings(limit);
    }
  }

  /**
   * The logs to measure; there is at least one.
   *
   * @param logs a folder of logs with references; null for the data sets alone
   * @param only the names of those that are wanted; empty for all
   * @throws ExitException if there are none, or if one that was asked for is not there
   */
  public List<ReferenceLog> logs(Path logs, List<String> only) throws IOException {
    List<ReferenceLog> all = new ArrayList<>(logs == null ? List.of() : ReferenceLog.in(logs));
    DataSets dataSets = DataSets.installed();
    for (String name : dataSets.list().keySet()) {
      if (only.contains(name)) {
        all.add(new ReferenceLog(name, dataSets.fetch(name), null, null));
      } else if (only.isEmpty()) {
        addIfThere(name, dataSets, all);
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

  /**
   * Adds a log if it is there: without a network, and nothing in the cache, the others can still be
   * measured.
   */
  private void addIfThere(String name, DataSets dataSets, List<ReferenceLog> all) {
    try {
      all.add(new ReferenceLog(name, dataSets.fetch(name), null, null));
    } catch (ExitException e) {
      progress.println(name + " is left out: " + e.getMessage());
    }
  }
}
