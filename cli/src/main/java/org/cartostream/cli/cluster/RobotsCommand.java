package org.cartostream.cli.cluster;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.cartostream.broker.registry.Registry;
import org.cartostream.broker.registry.RegistryEntry;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.cli.options.ClusterOption;
import org.cartostream.cli.options.JsonOption;
import org.cartostream.run.exit.ExitException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code cartostream robots}. */
@Command(
    name = "robots",
    description = {"List the robots and services that are registered in ZooKeeper now.", ""},
    footer = {
      "",
      "Examples:",
      "  cartostream robots",
      "  cartostream robots --zookeeper localhost:2181"
    })
public final class RobotsCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT",
      description = "ZooKeeper's servers, separated by commas. Default: the cluster's.")
  private String zookeeper;

  @Mixin private ClusterOption option;
  @Mixin private JsonOption json;

  @Override
  public Integer call() throws InterruptedException {
    if (zookeeper != null && zookeeper.isBlank()) {
      throw ExitException.wrongUsage("--zookeeper '" + zookeeper + "': host:port is needed");
    }
    List<RegistryEntry> robots;
    List<RegistryEntry> services;
    ZooKeeperAccess access =
        zookeeper == null ? option.cluster().zookeeper() : ZooKeeperAccess.plain(zookeeper);
    try (Registry registry = Registry.open(access, RegistrySettings.defaults())) {
      robots = registry.list(Registry.Kind.ROBOTS);
      services = registry.list(Registry.Kind.SERVICES);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json.isAsked()) {
      JsonOption.print(out, Map.of("robots", robots, "services", services));
      return 0;
    }
    List<RegistryEntry> entries = new ArrayList<>(robots);
    entries.addAll(services);
    for (RegistryEntry registryEntry : entries) {
      out.printf(
          "%-7s  %s  %s  version %s%n",
          registryEntry.type(),
          registryEntry.id(),
          registryEntry.address(),
          registryEntry.version());
    }
    if (entries.isEmpty()) {
      out.println("no robot and no service is registered at " + access.servers());
    }
    out.flush();
    return 0;
  }
}
