package org.cartostream.cli;

import java.io.PrintWriter;
import java.util.List;
import org.cartostream.cli.cluster.Cluster;
import org.cartostream.cli.cluster.Finding;
import picocli.CommandLine.Command;

/** {@code cartostream cluster health}. */
@Command(
    name = "health",
    description = {
      "Whether the cluster works, and what to do if it does not.",
      "",
      "Uses every server as a worker or a robot would: a session with ZooKeeper, a question to"
          + " Nimbus, a login at the broker, the queue and the workers of each topology, the disks.",
      "Ends with 1 if anything is not well.",
      ""
    })
final class ClusterHealthCommand extends OnCluster {

  @Override
  int on(Cluster cluster, PrintWriter out) {
    List<Finding> findings = cluster.health();
    for (Finding finding : findings) {
      out.printf(
          "%-4s %-34s %s%n", finding.isWell() ? "well" : "ILL", finding.part(), finding.says());
      if (!finding.isWell()) {
        out.printf("%-4s %-34s -> %s%n", "", "", finding.cure());
      }
    }
    long ill = findings.stream().filter(finding -> !finding.isWell()).count();
    out.println(
        ill == 0 ? "all is well" : ill + " of " + findings.size() + " findings ask for a cure");
    return ill == 0 ? 0 : Failure.FAILED;
  }
}
