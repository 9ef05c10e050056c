package org.cartostream.cli.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.SubmittedServices;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.deploy.submission.Rebalance;
import org.cartostream.run.exit.ExitException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Command {@code cartostream kill}. */
@Command(
    name = "kill",
    description = "End a topology; the particles of its robots are gone with it.")
public final class KillCommand extends ClusterSubcommand {

  @Parameters(paramLabel = "NAME", description = "As 'cartostream topologies' shows it.")
  private String name;

  @Override
  int run(Cluster cluster, PrintWriter out) throws IOException {
    Nimbus nimbus = cluster.nimbus();
    SubmittedServices services = new ClusterHome(cluster.folder()).services();
    try {
      boolean runs = nimbus.topologies().stream().anyMatch(each -> each.name().equals(name));
      if (!runs && services.find(name).isPresent()) {
        services.forget(name);
        out.println(name + " does not run, and is forgotten");
        return 0;
      }
      String id = nimbus.idOf(name);
      nimbus.kill(name);
      Rebalance.forget(cluster.zookeeper(), id);
      services.forget(name);
    } catch (NimbusException e) {
      throw ExitException.failed(name + ": " + e.getMessage(), e);
    }
    out.println("killed " + name);
    return 0;
  }
}
