package org.cartostream.bench.command;

import java.util.function.Supplier;
import org.cartostream.cli.process.RootCommand;
import org.cartostream.run.exit.ShutdownRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** Command {@code bench}: measurements that are too long for the tests. */
@Command(
    name = "bench",
    description = {"Measures Cartostream: what is too long for the tests.", ""},
    subcommands = {
      BenchAccuracyCommand.class,
      BenchFilterCommand.class,
      BenchBroadcastCommand.class,
      BenchCollectivesCommand.class,
      BenchScaleCommand.class,
      BenchRecoveryCommand.class,
      BenchCheckpointsCommand.class,
      BenchFaultyLogsCommand.class,
      BenchFuzzCommand.class,
      BenchGoldenCommand.class,
      SoakCommand.class,
      HelpCommand.class
    })
final class BenchCommand extends RootCommand {

  BenchCommand(Supplier<ShutdownRequest> shutdownRequests) {
    super(shutdownRequests, "what to measure is missing, such as 'accuracy --only killian'");
  }
}
