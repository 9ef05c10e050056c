package org.cartostream.cli.bench;

import org.cartostream.cli.options.CommandContext;
import org.cartostream.run.exit.ShutdownRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Runs {@code cartostream bench}: measurements that are too long for the tests. */
@Command(
    name = "bench",
    description = "Measurements that are too long for the tests.",
    subcommands = {
      BenchAccuracyCommand.class,
      BenchFilterCommand.class,
      BenchCollectivesCommand.class,
      BenchScaleCommand.class,
      BenchLatencyCommand.class,
      BenchTlsCommand.class,
      BenchViewersCommand.class,
      BenchRecoveryCommand.class,
      BenchCheckpointsCommand.class,
      BenchFuzzCommand.class,
      BenchGoldenCommand.class
    })
public final class BenchCommand implements Runnable {

  @Spec private CommandSpec spec;

  @ParentCommand private CommandContext parent;

  ShutdownRequest shutdownRequest() {
    return parent.shutdownRequest();
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "what to measure is missing: 'accuracy', 'filter', 'collectives', 'scale', 'latency', 'tls', 'viewers', 'recovery', 'checkpoints' or 'fuzz'");
  }
}
