package org.cartostream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.cartostream.cli.scale.Stragglers;
import org.cartostream.topology.ServiceSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * {@code cartostream bench filter}.
 *
 * <p>The first pass over a log warms the JVM up; it is reported apart. All other figures come from
 * the passes after it, one for each seed.
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
      "Each log is run once more than there are seeds for each number of particles: the first,",
      "cold pass counts only for the column '1st ms'. 'mean ms' is of every reading; p50, p95 and",
      "p99 are of those that needed no wide search for their motion: how many did, and their mean,",
      "stand under 'srch'. How many times as long as the mean particle the slowest computes for",
      "a scan stands under 'slow' (median) and 'worst': by the clock of computing time, each",
      "particle by itself, first seed, least of three more passes, without the first scan and",
      "resamplings. Logs are those of 'bench accuracy'.",
      "",
      "Example:",
      "  cartostream bench filter --logs my/logs --only intel --particles 30 --seeds 1"
    })
final class BenchFilterCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @ParentCommand private BenchCommand parent;

  @Option(
      names = "--particles",
      paramLabel = "N",
      split = ",",
      defaultValue = "20,60,100",
      description = "Numbers of particles. Default: 20,60,100.")
  private List<String> particles;

  @Mixin private BenchOptions bench;

  private final AccuracyTable accuracy = new AccuracyTable();
  private final SpeedTable speed = new SpeedTable();

  @Override
  public Integer call() throws IOException {
    PrintWriter screen = spec.commandLine().getOut();
    Interruption interruption = parent.interruption();
    for (BenchLog log : bench.wanted(spec.commandLine().getErr())) {
      double beams = log.meanBeams();
      for (String count : particles) {
        measure(log, beams, count, interruption);
      }
    }
    speed.print(screen);
    screen.println();
    accuracy.print(screen);
    FiguresFolder.tell(speed.write(bench.out()), screen);
    return interruption.exitCode();
  }

  /** Does nothing more once it is interrupted: half a run is no figure. */
  private void measure(BenchLog log, double beams, String count, Interruption interruption)
      throws IOException {
    if (interruption.requested()) {
      return;
    }
    Report first = run(log, count, bench.seeds().get(0), interruption);
    FilterFigures.Runs runs = new FilterFigures.Runs(log.name(), beams, first);
    for (long seed : bench.seeds()) {
      Report report = run(log, count, seed, interruption);
      if (interruption.requested()) {
        return;
      }
      runs.add(report);
      accuracy.add(log.name(), report);
    }
    speed.add(runs.figures(stragglers(log, count, interruption)));
  }

  /** Null if it is interrupted: what was run until then counts all the same. */
  private Stragglers stragglers(BenchLog log, String count, Interruption interruption)
      throws IOException {
    RootSettings settings = bench.settings(count, bench.seeds().get(0));
    spec.commandLine().getErr().println(log.name() + ", each particle by itself:");
    return Stragglers.among(
        new ServiceSettings(settings.slam(), settings.broker(), settings.topology()),
        LogArgument.robot(log.file()),
        bench.readings(log),
        interruption::requested);
  }

  private Report run(BenchLog log, String count, long seed, Interruption interruption) {
    PrintWriter err = spec.commandLine().getErr();
    return bench.replay(log, Engine.Kind.SERIAL, count, seed, err, interruption);
  }
}
