package org.cartostream.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
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
import org.cartostream.cli.process.RootCommand;
import org.cartostream.run.exit.ShutdownRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** Command {@code cartostream}, the root of all its commands. */
@Command(
    name = "cartostream",
    description = {"Maps from laser logs: SLAM as a stream service for robots.", ""},
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
      WebCommand.class,
      ViewCommand.class,
      ExportCommand.class,
      EvaluateCommand.class,
      MapsCommand.class,
      CheckpointsCommand.class,
      DatasetsCommand.class,
      SettingsCommand.class,
      HelpCommand.class
    })
final class CartostreamCommand extends RootCommand {

  /** Names of the commands by the heading of their group in help; each command is in one group. */
  private static final Map<String, List<String>> GROUPS = new LinkedHashMap<>();

  static {
    GROUPS.put("Map", List.of("replay", "gateway", "sim", "datasets"));
    GROUPS.put("See", List.of("view", "web", "maps", "evaluate", "export"));
    GROUPS.put("Serve", List.of("service", "robots", "checkpoints", "settings", "help"));
    GROUPS.put(
        "Operate a cluster", List.of("cluster", "submit", "topologies", "rebalance", "kill"));
  }

  @Override
  protected Map<String, List<String>> groups() {
    return GROUPS;
  }

  CartostreamCommand(Supplier<ShutdownRequest> shutdownRequests) {
    super(shutdownRequests, "a command is missing, such as 'replay killian'");
  }
}
