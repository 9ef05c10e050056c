package org.cartostream.bench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.cartostream.bench.viewers.ViewersBench;
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

/** Runs {@code bench viewers}. */
@Command(
    name = "viewers",
    description = {
      "Measure what viewers of the page cost the service: CPU time of its tasks for each reading.",
      "",
      "Broker, service, robots and page run in this process. Pairs of drives, one with viewers and"
          + " one without a page, give the ratio and its upper 95 %% bound.",
      ""
    },
    footer = {"", "Example:", "  bench viewers datasets/office.clf --particles 30"})
final class BenchViewersCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

  @Mixin private LogParameter log;

  @Option(
      names = "--readings",
      paramLabel = "K",
      defaultValue = "60",
      description = "Scans of the log that each robot sends. Default: ${DEFAULT-VALUE}.")
  private int readings;

  @Option(
      names = "--pairs",
      paramLabel = "P",
      defaultValue = "10",
      description = "Pairs of drives, from 2 to 20. Default: ${DEFAULT-VALUE}.")
  private int pairs;

  @Option(
      names = "--robots",
      paramLabel = "R",
      defaultValue = "4",
      description = "Robots that drive at once. Default: ${DEFAULT-VALUE}.")
  private int robots;

  @Option(
      names = "--viewers",
      paramLabel = "V",
      defaultValue = "5",
      description = "Viewers of the page. Default: ${DEFAULT-VALUE}.")
  private int viewers;

  @Option(
      names = "--rate",
      paramLabel = "HZ",
      defaultValue = "5",
      description = "Readings per second of each robot. Default: ${DEFAULT-VALUE}.")
  private double rateHertz;

  @Option(names = "--particles", paramLabel = "N", description = "Particles (slam.particles).")
  private String particles;

  @Mixin private ResultFolderOption out;
  @Mixin private ConfigurationOptions configuration;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks.atLeastOne("--readings", readings);
    OptionChecks.atLeastOne("--robots", robots);
    OptionChecks.atLeastOne("--viewers", viewers);
    OptionChecks.moreThanZero("--rate", rateHertz);
    if (pairs < 2 || pairs > ViewersBench.MOST_PAIRS) {
      throw ExitException.wrongUsage(
          "--pairs " + pairs + ": it must be from 2 to " + ViewersBench.MOST_PAIRS);
    }
    Map<String, String> flags = new HashMap<>();
    flags.put("slam.particles", particles);
    RootSettings settings = configuration.settings(flags);
    List<Reading> taken = log.readings(readings, settings);
    PrintWriter screen = spec.commandLine().getOut();
    Path figures =
        new ViewersBench(settings, taken, new ViewersBench.Load(robots, rateHertz, viewers), pairs)
            .run(out.prepare(), screen, spec.commandLine().getErr());
    ResultFolderOption.printWritten(List.of(figures), screen);
    return parent.shutdownRequest().exitCode();
  }
}
