package org.cartostream.bench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.cartostream.bench.accuracy.AccuracyTable;
import org.cartostream.bench.accuracy.LogBench;
import org.cartostream.bench.accuracy.ReferenceLog;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.report.RunReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Command {@code bench accuracy}. */
@Command(
    name = "accuracy",
    description = {
      "Replay whole logs, each with several seeds, and print how accurate the trajectories are.",
      ""
    },
    footer = {
      "",
      "Logs are the data sets and, with --logs, every log in that folder that can be"
          + " measured: NAME.clf beside which a NAME.reference.tum lies (and NAME.relations, if"
          + " there is one), and NAME.g2o, which holds its own reference.",
      "",
      "Example:",
      "  bench accuracy --logs my/logs --only intel --particles 30"
    })
final class BenchAccuracyCommand implements Callable<Integer> {

  private static final String FILE = "accuracy.json";

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

  @Option(names = "--particles", paramLabel = "N", description = "Particles (slam.particles).")
  private String particles;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      defaultValue = "serial",
      description = "storm or serial; the result is the same. Default: serial.")
  private Engine.Kind engine;

  @Mixin private LogOptions options;

  @Override
  public Integer call() throws IOException {
    PrintWriter screen = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    AccuracyTable table = new AccuracyTable();
    LogBench bench = options.bench(err, shutdownRequest);
    for (ReferenceLog log : options.logs(bench)) {
      for (long seed : options.seeds()) {
        if (!shutdownRequest.requested()) {
          RunReport runReport = bench.replay(log, engine, particles, seed);
          if (!shutdownRequest.requested()) { // Half a run is no figure.
            table.add(log.name(), runReport);
          }
        }
      }
    }
    table.print(screen);
    ResultFolderOption.printWritten(List.of(table.write(options.out().resolve(FILE))), screen);
    return shutdownRequest.exitCode();
  }
}
