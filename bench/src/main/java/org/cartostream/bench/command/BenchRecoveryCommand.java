package org.cartostream.bench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.cartostream.bench.recovery.FaultTarget;
import org.cartostream.bench.recovery.RecoveryBench;
import org.cartostream.bench.recovery.RecoveryInput;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.topology.settings.ResamplingMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Command {@code bench recovery}. */
@Command(
    name = "recovery",
    description = {
      "Kill processes of a cluster on this machine, one in each run of a log, and compare path and"
          + " map with those of an undisturbed run, byte for byte.",
      ""
    },
    footer = {
      "",
      "A cell is what is killed (kill -9): the worker with the 'dispatcher', 'publisher' or"
          + " 'resampler', one with 'matchers' only, all 'workers' at once, the 'broker',"
          + " 'zookeeper', 'nimbus', the 'gateway', or 'everything' at once. A seed draws the"
          + " moment. What Storm does not start again is started as by 'cluster revive'; a"
          + " gateway goes on as by --resume.",
      "",
      "outage_s is the longest time without an answer. Of it, detection_s is until a new"
          + " epoch begins, restore_s until all parts are loaded, repeat_s until the first new"
          + " answer; first_s is what the repeated readings took the first time. Ends with 1 if a"
          + " path or a map is not equal, or a reading is lost.",
      "",
      "Example:",
      "  bench recovery datasets/office.clf --cells broker --seeds 1,2"
    })
final class BenchRecoveryCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

  @Mixin private LogParameter log;

  @Option(
      names = "--cells",
      paramLabel = "CELL",
      split = ",",
      description = "Targets of the kills, see below. Default: all.")
  private List<String> cells =
      Arrays.stream(FaultTarget.values()).map(FaultTarget::toString).toList();

  @Option(
      names = "--modes",
      paramLabel = "MODE",
      split = ",",
      defaultValue = "dataflow,bsp",
      description = "Modes of the service (topology.mode). Default: ${DEFAULT-VALUE}.")
  private List<ResamplingMode> modes;

  @Mixin private SeedsOption seeds;

  @Option(
      names = "--rate",
      paramLabel = "max|X",
      defaultValue = "10",
      description = "X times the log's own pace, as in replay. Default: ${DEFAULT-VALUE}.")
  private String rate;

  @Option(
      names = "--particles",
      paramLabel = "N",
      defaultValue = "20",
      description = "Particles (slam.particles). Default: ${DEFAULT-VALUE}.")
  private String particles;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "4",
      description = "Processes of the service, and tasks. Default: ${DEFAULT-VALUE}.")
  private String workers;

  @Option(
      names = "--every",
      paramLabel = "S",
      defaultValue = "2",
      description = "Seconds from one checkpoint to the next. Default: ${DEFAULT-VALUE}.")
  private String everySeconds;

  @Mixin private LimitOption limit;

  @Mixin private ResultFolderOption out;
  @Mixin private ConfigurationOptions configuration;

  @Override
  public Integer call() throws IOException, InterruptedException {
    long scans = limit.scans();
    Path file = log.file();
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    PrintWriter screen = spec.commandLine().getOut();
    RecoveryBench.Result result =
        new RecoveryBench(
                new RecoveryInput(file, scans, pace()),
                settings(),
                FaultTarget.named(cells),
                modes,
                seeds.list(),
                out.prepare(),
                shutdownRequest)
            .run(screen, spec.commandLine().getErr());
    ResultFolderOption.printWritten(List.of(result.figures()), screen);
    return result.exact() ? shutdownRequest.exitCode() : ExitException.FAILED;
  }

  private RootSettings settings() {
    Map<String, String> flags = new HashMap<>();
    flags.put("slam.particles", particles);
    flags.put("topology.workers", workers);
    flags.put("topology.tasks", workers);
    flags.put("checkpoint.everySeconds", everySeconds);
    return configuration.settings(flags);
  }

  private Pace pace() {
    try {
      return Pace.parse(rate);
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--rate: " + e.getMessage(), e);
    }
  }
}
