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
 * Runner of whole logs, for measurements of accuracy and of the filter: finds the logs, and replays
 * each with a number of particles and a seed.
 *
 * @param limit maximum number of scans that are taken from each log
 * @param configuration makes the settings, given values for some of their keys
 * @param folder folder in which each run has a folder for its files
 * @param progress receives lines for people
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
   * @param particles number of particles; null for the configuration's
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
   * Returns the settings of a run.
   *
   * @param particles number of particles; null for the configuration's
   */
  public RootSettings settings(String particles, long seed) {
    Map<String, String> flags = new HashMap<>();
    flags.put("slam.seed", Long.toString(seed));
    flags.put("slam.particles", particles);
    return configuration.apply(flags);
  }

  /** Returns the readings of a log that are not refused, up to the limit of scans. */
  public List<Reading> readings(ReferenceLog log) throws IOException {
    try (LaserLog scans = InputLog.open(List.of(log.file()), configuration.apply(Map.of()))) {
      return scans.readings(limit);
    }
  }

  /**
   * Returns the logs to measure; there is at least one.
   *
   * @param logs folder of logs with references; null for the data sets alone
   * @param only names of the wanted logs; empty for all
   * @throws ExitException if there are no logs, or if a wanted log is not there
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
   * Adds a data set, if it can be had: without a network, and with nothing in the cache, the other
   * logs can still be measured.
   */
  private void addIfThere(String name, DataSets dataSets, List<ReferenceLog> all) {
    try {
      all.add(new ReferenceLog(name, dataSets.fetch(name), null, null));
    } catch (ExitException e) {
      progress.println(name + " is left out: " + e.getMessage());
    }
  }
}
