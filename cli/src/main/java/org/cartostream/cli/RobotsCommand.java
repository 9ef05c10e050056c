package org.cartostream.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.broker.register.Entry;
import org.cartostream.broker.register.Register;
import org.cartostream.broker.register.RegisterSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cartostream robots}. */
@Command(
    name = "robots",
    description = {"List the robots and services that are registered in ZooKeeper now.", ""},
    footer = {
      "",
      "Examples:",
      "  cartostream robots",
      "  cartostream robots --zookeeper localhost:2181"
    })
final class RobotsCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT",
      description = "ZooKeeper's servers, separated by commas. Default: the cluster's.")
  private String zookeeper;

  @Mixin private ClusterOption option;

  @Override
  public Integer call() throws InterruptedException {
    if (zookeeper != null && zookeeper.isBlank()) {
      throw Failure.wrongUsage("--zookeeper '" + zookeeper + "': host:port is needed");
    }
    List<Entry> entries = new ArrayList<>();
    ZooKeeperAccess access =
        zookeeper == null ? option.cluster().zookeeper() : ZooKeeperAccess.plain(zookeeper);
    try (Register register = Register.open(access, RegisterSettings.defaults())) {
      entries.addAll(register.list(Register.Kind.ROBOTS));
      entries.addAll(register.list(Register.Kind.SERVICES));
    }
    PrintWriter out = spec.commandLine().getOut();
    for (Entry entry : entries) {
      out.printf(
          "%-7s  %s  %s  version %s%n", entry.type(), entry.id(), entry.address(), entry.version());
    }
    if (entries.isEmpty()) {
      out.println("no robot and no service is registered at " + access.servers());
    }
    out.flush();
    return 0;
  }
}
