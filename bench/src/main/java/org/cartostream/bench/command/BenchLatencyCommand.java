package org.cartostream.bench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.cartostream.bench.latency.LatencyBench;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.LogParameter;
import org.cartostream.cli.options.OptionChecks;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.sensor.Reading;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Runs {@code bench latency}. */
@Command(
    name = "latency",
    description = {
      "Measure how long a live robot waits for a reading's pose, and how long for its outcome.",
      "",
      "Broker, service and gateway run in this process; readings come at a steady rate. It is done"
          + " twice: with tasks alike, and with one that shares its core with busy threads (Linux).",
      ""
    },
    footer = {"", "Example:", "  bench latency datasets/office.clf --rate 5 --particles 60"})
final class BenchLatencyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

  @Mixin private LogParameter log;

  @Option(
      names = "--readings",
      paramLabel = "K",
      defaultValue = "300",
      description = "Take at most so many scans from the log. Default: ${DEFAULT-VALUE}.")
  private int readings;

  @Option(
      names = "--warmups",
      paramLabel = "K",
      defaultValue = "60",
      description = "How many of them do not count. Default: ${DEFAULT-VALUE}.")
  private int warmups;

  @Option(
      names = "--rate",
      paramLabel = "HZ",
      defaultValue = "5",
      description = "Readings per second. Default: ${DEFAULT-VALUE}.")
  private double rateHertz;

  @Option(
      names = "--tasks",
      paramLabel = "M",
      defaultValue = "4",
      description = "Tasks that share the particles. Default: ${DEFAULT-VALUE}.")
  private String tasks;

  @Option(names = "--particles", paramLabel = "N", description = "Particles (slam.particles).")
  private String particles;

  @Option(
      names = "--neighbours",
      paramLabel = "B",
      defaultValue = "3",
      description = "Busy threads on the slow task's core. Default: ${DEFAULT-VALUE}.")
  private int neighbours;

  @Mixin private ResultFolderOption out;
  @Mixin private ConfigurationOptions configuration;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks.atLeastOne("--readings", readings);
    OptionChecks.atLeastOne("--neighbours", neighbours);
    OptionChecks.moreThanZero("--rate", rateHertz);
    if (warmups < 0 || warmups >= readings) {
      throw ExitException.wrongUsage(
          "--warmups " + warmups + ": at least 0 and less than --readings, " + readings);
    }
    Map<String, String> flags = new HashMap<>();
    flags.put("topology.tasks", tasks);
    flags.put("slam.particles", particles);
    RootSettings settings = configuration.settings(flags);
    List<Reading> taken = log.readings(readings, settings);
    PrintWriter screen = spec.commandLine().getOut();
    Path figures =
        new LatencyBench(settings, taken, warmups, rateHertz, neighbours)
            .run(out.prepare(), screen, spec.commandLine().getErr());
    ResultFolderOption.printWritten(List.of(figures), screen);
    return parent.shutdownRequest().exitCode();
  }
}
