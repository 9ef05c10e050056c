package org.cartostream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import org.cartostream.cli.cluster.Cluster;
import org.cartostream.topology.submission.Nimbus;
import org.cartostream.topology.submission.Nimbus.NimbusException;
import org.cartostream.topology.submission.Rebalance;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code cartostream kill}. */
@Command(
    name = "kill",
    description = "End a topology; the particles of its robots are gone with it.")
final class KillCommand extends OnCluster {

  @Parameters(paramLabel = "NAME", description = "As 'cartostream topologies' shows it.")
  private String name;

  @Override
  int on(Cluster cluster, PrintWriter out) throws IOException {
    Nimbus nimbus = cluster.nimbus();
    try {
      String id = nimbus.idOf(name);
      nimbus.kill(name);
      Rebalance.forget(cluster.zookeeper(), id);
    } catch (NimbusException e) {
      throw Failure.failed(name + ": " + e.getMessage(), e);
    }
    out.println("killed " + name);
    return 0;
  }
}
