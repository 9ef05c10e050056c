package org.cartostream.cli.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.deploy.submission.Rebalance;
import org.cartostream.run.exit.ExitException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code cartostream rebalance}. */
@Command(
    name = "rebalance",
    description = {
      "Have a running topology's particles on fewer or more of its matcher tasks.",
      "",
      "They move at each robot's next resampling; the answers stay the same, to the last bit.",
      ""
    })
public final class RebalanceCommand extends ClusterSubcommand {

  @Parameters(paramLabel = "NAME", description = "As 'cartostream topologies' shows it.")
  private String name;

  @Option(
      names = "--tasks",
      paramLabel = "M",
      required = true,
      description = "How many tasks are to hold particles, from 1 to%ntopology.tasks.")
  private int tasks;

  @Override
  int run(Cluster cluster, PrintWriter out) throws IOException {
    Nimbus nimbus = cluster.nimbus();
    try {
      String id = nimbus.idOf(name);
      int max = nimbus.matchers(name);
      if (tasks < 1 || tasks > max) {
        throw ExitException.wrongUsage(
            "--tasks " + tasks + ": " + name + " has 1 to " + max + " tasks for particles");
      }
      Rebalance.request(cluster.zookeeper(), id, tasks);
    } catch (NimbusException e) {
      throw ExitException.failed(name + ": " + e.getMessage(), e);
    }
    out.println(name + ": " + tasks + " tasks hold particles from the next resampling on");
    return 0;
  }
}
