package org.cartostream.bench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.cartostream.bench.recovery.CheckpointBench;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.OptionChecks;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.exit.ShutdownRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * Command {@code bench checkpoints}: measures what checkpoints cost a run, and how long a resume
 * takes.
 */
@Command(
    name = "checkpoints",
    description = {
      "What checkpoints cost a run, and what it takes to go on from one: a log with them and"
          + " without, in alternation.",
      ""
    },
    footer = {
      "",
      "A first pass of each kind warms up, and does not count. cpu_ms is what the whole"
          + " process computed per reading, whatever else the machine does; wall_s ends with the"
          + " last answer.",
      "",
      "Example:",
      "  bench checkpoints aces.clf --particles 100"
    })
final class BenchCheckpointsCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

  @Mixin private LogParameter log;

  @Option(
      names = "--engines",
      paramLabel = "ENGINE",
      split = ",",
      defaultValue = "serial,storm",
      description = "Engines that are measured. Default: ${DEFAULT-VALUE}.")
  private List<Engine.Kind> engines;

  @Option(names = "--particles", paramLabel = "N", description = "Particles (slam.particles).")
  private String particles;

  @Option(
      names = "--passes",
      paramLabel = "P",
      defaultValue = "5",
      description = "Passes of each kind. Default: ${DEFAULT-VALUE}.")
  private int passes;

  @Option(
      names = "--every",
      paramLabel = "S",
      description = "Seconds between checkpoints (checkpoint.everySeconds).")
  private String everySeconds;

  @Mixin private ResultFolderOption out;
  @Mixin private ConfigurationOptions configuration;

  @Override
  public Integer call() throws IOException {
    OptionChecks.atLeastOne("--passes", passes);
    Path file = log.file();
    Map<String, String> flags = new HashMap<>();
    flags.put("slam.particles", particles);
    flags.put("checkpoint.everySeconds", everySeconds);
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    PrintWriter screen = spec.commandLine().getOut();
    Path figures =
        new CheckpointBench(
                file,
                configuration.settings(flags),
                engines,
                passes,
                out.prepare(),
                shutdownRequest)
            .run(screen, spec.commandLine().getErr());
    ResultFolderOption.printWritten(List.of(figures), screen);
    return shutdownRequest.exitCode();
  }
}
