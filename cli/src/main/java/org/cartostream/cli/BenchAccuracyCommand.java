package org.cartostream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.cartostream.gateway.Pace;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cartostream bench accuracy}. */
@Command(
    name = "accuracy",
    description = {
      "Replay whole logs, each with several seeds, and print how accurate the trajectories are.",
      ""
    },
    footer = {
      "",
      "Logs are the data sets and, with --logs, every NAME.clf in that folder beside",
      "which a NAME.reference.tum lies (and NAME.relations, if there is one).",
      "",
      "Example:",
      "  cartostream bench accuracy --logs my/logs --only intel --particles 30"
    })
final class BenchAccuracyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @ParentCommand private BenchCommand parent;

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
      split = ",",
      defaultValue = "1,2,3",
      description = "The seeds. Default: 1,2,3.")
  private List<Long> seeds;

  @Option(names = "--particles", paramLabel = "N", description = "Particles (slam.particles).")
  private String particles;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      defaultValue = "serial",
      description = "storm or serial; the result is the same. Default: serial.")
  private Engine.Kind engine;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "out/bench",
      description = "Folder for accuracy.json and each run's files. Default: out/bench.")
  private Path out;

  @Mixin private ConfigurationOptions configuration;

  @Override
  public Integer call() throws IOException {
    List<BenchLog> found = wanted();
    if (found.isEmpty()) {
      throw Failure.failed("there are no logs to measure; --logs DIR names a folder of them");
    }
    Interruption interruption = parent.interruption();
    PrintWriter screen = spec.commandLine().getOut();
    AccuracyTable table = new AccuracyTable();
    for (BenchLog log : found) {
      for (long seed : seeds) {
        if (interruption.requested()) {
          return interruption.exitCode();
        }
        table.add(log.name(), replay(log, seed, interruption));
      }
    }
    table.print(screen);
    Path file = table.write(out);
    screen.println("written: " + file);
    screen.flush();
    return interruption.exitCode();
  }

  private Report replay(BenchLog log, long seed, Interruption interruption) {
    Map<String, String> flags = new HashMap<>();
    flags.put("slam.seed", Long.toString(seed));
    flags.put("slam.particles", particles);
    RootSettings settings = configuration.settings(flags);
    Path folder = out.resolve(log.name() + "-seed" + seed);
    PrintWriter err = spec.commandLine().getErr();
    err.println(log.name() + ", seed " + seed + ":");
    return new Replay(settings, engine, Pace.MAX, log.file(), Long.MAX_VALUE, folder)
        .run(scans -> Yardstick.of(scans, log.reference(), log.relations()), err, interruption);
  }

  /** Without a network, and nothing in the cache, the other logs can still be measured. */
  private void addIfThere(String name, DataSets dataSets, List<BenchLog> all) {
    try {
      all.add(new BenchLog(name, dataSets.fetch(name), null, null));
    } catch (Failure e) {
      spec.commandLine().getErr().println(name + " is left out: " + e.getMessage());
    }
  }

  private List<BenchLog> wanted() throws IOException {
    List<BenchLog> all = new ArrayList<>(logs == null ? List.of() : BenchLog.in(logs));
    DataSets dataSets = DataSets.installed();
    for (String name : dataSets.list().keySet()) {
      if (only.contains(name)) {
        all.add(new BenchLog(name, dataSets.fetch(name), null, null));
      } else if (only.isEmpty()) {
        addIfThere(name, dataSets, all);
      }
    }
    List<String> names = all.stream().map(BenchLog::name).toList();
    for (String name : only) {
      if (!names.contains(name)) {
        throw Failure.wrongUsage(
            "--only " + name + ": no such log; there are: " + String.join(", ", names));
      }
    }
    return all.stream().filter(log -> only.isEmpty() || only.contains(log.name())).toList();
  }
}
