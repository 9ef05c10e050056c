package org.cartostream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import org.cartostream.cli.cluster.Cluster;
import org.cartostream.topology.submission.Nimbus;
import org.cartostream.topology.submission.Nimbus.NimbusException;
import org.cartostream.topology.submission.Rebalance;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cartostream rebalance}. */
@Command(
    name = "rebalance",
    description = {
      "Have a running topology's particles on fewer or more of its matcher tasks.",
      "",
      "They move at each robot's next resampling; the answers stay the same, to the last bit.",
      ""
    })
final class RebalanceCommand extends OnCluster {

  @Parameters(paramLabel = "NAME", description = "As 'cartostream topologies' shows it.")
  private String name;

  @Option(
      names = "--tasks",
      paramLabel = "M",
      required = true,
      description = "How many tasks are to hold particles, from 1 to%ntopology.tasks.")
  private int tasks;

  @Override
  int on(Cluster cluster, PrintWriter out) throws IOException {
    Nimbus nimbus = cluster.nimbus();
    try {
      String id = nimbus.idOf(name);
      int most = nimbus.matchers(name);
      if (tasks < 1 || tasks > most) {
        throw Failure.wrongUsage(
            "--tasks " + tasks + ": " + name + " has 1 to " + most + " tasks for particles");
      }
      Rebalance.ask(cluster.zookeeper(), id, tasks);
    } catch (NimbusException e) {
      throw Failure.failed(name + ": " + e.getMessage(), e);
    }
    out.println(name + ": " + tasks + " tasks hold particles from the next resampling on");
    return 0;
  }
}
