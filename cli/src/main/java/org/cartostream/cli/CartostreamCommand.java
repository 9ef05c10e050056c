package org.cartostream.cli;

import java.util.function.Supplier;
import org.cartostream.cli.bench.BenchCommand;
import org.cartostream.cli.bench.SoakCommand;
import org.cartostream.cli.cluster.ClusterCommand;
import org.cartostream.cli.cluster.KillCommand;
import org.cartostream.cli.cluster.RebalanceCommand;
import org.cartostream.cli.cluster.RobotsCommand;
import org.cartostream.cli.cluster.SubmitCommand;
import org.cartostream.cli.cluster.TopologiesCommand;
import org.cartostream.cli.command.CheckpointsCommand;
import org.cartostream.cli.command.DatasetsCommand;
import org.cartostream.cli.command.EvaluateCommand;
import org.cartostream.cli.command.ExportCommand;
import org.cartostream.cli.command.GatewayCommand;
import org.cartostream.cli.command.MapsCommand;
import org.cartostream.cli.command.ReplayCommand;
import org.cartostream.cli.command.ServiceCommand;
import org.cartostream.cli.command.SettingsCommand;
import org.cartostream.cli.command.SimCommand;
import org.cartostream.cli.command.ViewCommand;
import org.cartostream.cli.command.WebCommand;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.run.exit.ShutdownRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Runs {@code cartostream}: the root of all commands, with the options they have in common. */
@Command(
    name = "cartostream",
    description = {"Maps from laser logs: SLAM as a stream service for robots.", ""},
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = VersionProvider.class,
    subcommands = {
      ReplayCommand.class,
      GatewayCommand.class,
      ServiceCommand.class,
      SimCommand.class,
      RobotsCommand.class,
      ClusterCommand.class,
      SubmitCommand.class,
      TopologiesCommand.class,
      KillCommand.class,
      RebalanceCommand.class,
      SoakCommand.class,
      WebCommand.class,
      ViewCommand.class,
      ExportCommand.class,
      EvaluateCommand.class,
      MapsCommand.class,
      CheckpointsCommand.class,
      DatasetsCommand.class,
      SettingsCommand.class,
      BenchCommand.class,
      HelpCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed: the sentence says why",
      "2:wrong usage: an option, a key or a value that cannot be right",
      "130:ended by Ctrl-C; what was done until then is written (128 + n: by signal n)"
    })
final class CartostreamCommand implements CommandContext, Runnable {

  @Spec private CommandSpec spec;

  private final Supplier<ShutdownRequest> shutdownRequests;
  private ShutdownRequest shutdownRequest;
  private boolean verbose;

  /**
   * @param shutdownRequests asked once, by the first command that can be interrupted
   */
  CartostreamCommand(Supplier<ShutdownRequest> shutdownRequests) {
    this.shutdownRequests = shutdownRequests;
  }

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description =
          "Show what a run cost, the log of Storm and the broker, and stack traces of failures.")
  void verbose(boolean wanted) {
    verbose = wanted;
    if (wanted) {
      LibraryLogging.enable();
    }
  }

  @Override
  public boolean verbose() {
    return verbose;
  }

  @Override
  public synchronized ShutdownRequest shutdownRequest() {
    if (shutdownRequest == null) {
      shutdownRequest = shutdownRequests.get();
    }
    return shutdownRequest;
  }

  /** What the wish to end early makes the exit code; 0 while there is none. */
  synchronized int endedBySignal() {
    return shutdownRequest == null ? 0 : shutdownRequest.exitCode();
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a command is missing, such as 'replay killian'");
  }
}
