package org.cartostream.cli.cluster;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.cartostream.cli.options.JsonOption;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Command {@code cartostream topologies}. */
@Command(name = "topologies", description = "What runs on a cluster, and on which workers.")
public final class TopologiesCommand extends ClusterSubcommand {

  @Mixin private JsonOption json;

  /**
   * A running topology with its tasks; its fields are those of the JSON that {@code docs/json}
   * describes.
   */
  record Running(
      String name, String status, int uptimeSeconds, int workers, List<Nimbus.Task> tasks) {}

  @Override
  int run(Cluster cluster, PrintWriter out) throws NimbusException {
    List<Running> all = all(cluster.nimbus());
    if (json.isAsked()) {
      JsonOption.print(out, Map.of("topologies", all));
    } else {
      print(all, out);
    }
    return 0;
  }

  static List<Running> all(Nimbus nimbus) throws NimbusException {
    List<Running> all = new ArrayList<>();
    for (Nimbus.Topology each : nimbus.topologies()) {
      all.add(
          new Running(
              each.name(),
              each.status().toLowerCase(Locale.ROOT),
              each.uptimeSeconds(),
              each.workers(),
              nimbus.tasks(each.name())));
    }
    return all;
  }

  /** Prints a line for each topology, and a line for each of its tasks. */
  static void print(List<Running> topologies, PrintWriter out) {
    for (Running topology : topologies) {
      out.printf(
          "topology   %-34s %s for %d s, %d workers, %d tasks%n",
          topology.name(),
          topology.status(),
          topology.uptimeSeconds(),
          topology.workers(),
          topology.tasks().size());
      topology.tasks().stream()
          .map(task -> "%-10s %s".formatted("", task.component() + " at " + task.slot()))
          .sorted()
          .forEach(out::println);
    }
    if (topologies.isEmpty()) {
      out.println("no topology; 'cartostream submit' brings one");
    }
  }
}
