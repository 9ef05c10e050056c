package org.cartostream.cli.cluster;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import picocli.CommandLine.Command;

/** Runs {@code cartostream topologies}. */
@Command(name = "topologies", description = "What runs on a cluster, and on which workers.")
public final class TopologiesCommand extends ClusterSubcommand {

  @Override
  int run(Cluster cluster, PrintWriter out) throws NimbusException {
    print(cluster.nimbus(), out);
    return 0;
  }

  /** A line for each topology, and one for each of its tasks. */
  static void print(Nimbus nimbus, PrintWriter out) throws NimbusException {
    List<Nimbus.Topology> topologies = nimbus.topologies();
    for (Nimbus.Topology topology : topologies) {
      out.printf(
          "topology   %-34s %s for %d s, %d workers, %d tasks%n",
          topology.name(),
          topology.status().toLowerCase(Locale.ROOT),
          topology.uptimeSeconds(),
          topology.workers(),
          topology.tasks());
      nimbus.tasks(topology.name()).stream()
          .map(task -> "%-10s %s".formatted("", task.component() + " at " + task.slot()))
          .sorted()
          .forEach(out::println);
    }
    if (topologies.isEmpty()) {
      out.println("no topology; 'cartostream submit' brings one");
    }
  }
}
