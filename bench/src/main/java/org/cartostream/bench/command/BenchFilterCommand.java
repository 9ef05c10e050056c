package org.cartostream.bench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.cartostream.bench.accuracy.AccuracyTable;
import org.cartostream.bench.accuracy.LogBench;
import org.cartostream.bench.accuracy.ReferenceLog;
import org.cartostream.bench.filter.FilterCost;
import org.cartostream.bench.filter.FilterCostTable;
import org.cartostream.bench.sequential.StragglerRatio;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.report.RunReport;
import org.cartostream.run.settings.RootSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * Command {@code bench filter}.
 *
 * <p>The first pass over a log warms the JVM up, and has a figure of its own. All other figures
 * come from the passes after it, one for each seed.
 */
@Command(
    name = "filter",
    description = {
      "Run the filter alone, in one thread, over whole logs; print and plot what it costs and how"
          + " accurate it is.",
      ""
    },
    footer = {
      "",
      "Each log is run once more than there are seeds for each number of particles: the"
          + " first, cold pass counts only for the column '1st ms'. 'mean ms' is of every"
          + " reading; p50, p95 and p99 are of those that needed no wide search for their motion:"
          + " how many did, and their mean, stand under 'srch'. How many times as long as the"
          + " mean particle the slowest computes for a scan stands under 'slow' (median) and"
          + " 'worst': by the clock of computing time, each particle by itself, first seed, least"
          + " of three more passes, without the first scan and resamplings. 'live MB' is the heap"
          + " after a full collection at the end, 'peak MB' the most memory that the process had"
          + " of the machine until the first pass ended: ask for one log and one number of"
          + " particles. Logs are those of 'bench accuracy'.",
      "",
      "Example:",
      "  bench filter --logs my/logs --only intel --particles 30 --seeds 1"
    })
final class BenchFilterCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

  @Option(
      names = "--particles",
      paramLabel = "N",
      split = ",",
      defaultValue = "20,60,100",
      description = "Numbers of particles. Default: 20,60,100.")
  private List<String> particles;

  @Mixin private LogOptions options;

  private final AccuracyTable accuracy = new AccuracyTable();
  private final FilterCostTable speed = new FilterCostTable();

  @Override
  public Integer call() throws IOException {
    PrintWriter screen = spec.commandLine().getOut();
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    LogBench bench = options.bench(spec.commandLine().getErr(), shutdownRequest);
    for (ReferenceLog log : options.logs(bench)) {
      double beams = log.meanBeams();
      for (String count : particles) {
        measure(bench, log, beams, count);
      }
    }
    speed.print(screen);
    screen.println();
    accuracy.print(screen);
    ResultFolderOption.printWritten(speed.write(options.out()), screen);
    return shutdownRequest.exitCode();
  }

  /**
   * Measures one log with one number of particles. Stops when it is interrupted, as an unfinished
   * run gives no figure.
   */
  private void measure(LogBench bench, ReferenceLog log, double beams, String count)
      throws IOException {
    BooleanSupplier stop = bench.shutdownRequest()::requested;
    if (stop.getAsBoolean()) {
      return;
    }
    long firstSeed = options.seeds().get(0);
    RunReport first = bench.replay(log, Engine.Kind.SERIAL, count, firstSeed);
    FilterCost.Runs runs = new FilterCost.Runs(log.name(), beams, first);
    for (long seed : options.seeds()) {
      RunReport runReport = bench.replay(log, Engine.Kind.SERIAL, count, seed);
      if (stop.getAsBoolean()) {
        return;
      }
      runs.add(runReport);
      accuracy.add(log.name(), runReport);
    }
    bench.progress().println(log.name() + ", each particle by itself:");
    // The ratio is null if it was interrupted; the runs before count all the same.
    RootSettings settings = bench.settings(count, firstSeed);
    StragglerRatio stragglers =
        StragglerRatio.among(
            settings.service(settings.broker()),
            InputLog.robotId(log.file()),
            bench.readings(log),
            stop);
    speed.add(runs.figures(stragglers));
  }
}
