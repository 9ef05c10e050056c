package org.cartostream.cli.cluster;

import java.io.PrintWriter;
import java.util.List;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.cluster.HealthResult;
import org.cartostream.run.exit.ExitException;
import picocli.CommandLine.Command;

/** Runs {@code cartostream cluster health}. */
@Command(
    name = "health",
    description = {
      "Whether the cluster works, and what to do if it does not.",
      "",
      "Uses every server as a worker or a robot would: a session with ZooKeeper, a question"
          + " to Nimbus, a login at the broker, the queue and the workers of each topology, the"
          + " disks. Ends with 1 if anything is not well.",
      ""
    })
final class ClusterHealthCommand extends ClusterSubcommand {

  @Override
  int run(Cluster cluster, PrintWriter out) {
    List<HealthResult> healthResults = cluster.health();
    for (HealthResult healthResult : healthResults) {
      out.printf(
          "%-4s %-34s %s%n",
          healthResult.isHealthy() ? "ok" : "FAIL", healthResult.part(), healthResult.finding());
      if (!healthResult.isHealthy()) {
        out.printf("%-4s %-34s -> %s%n", "", "", healthResult.remedy());
      }
    }
    long failed = healthResults.stream().filter(healthResult -> !healthResult.isHealthy()).count();
    out.println(
        failed == 0
            ? "all is well"
            : failed + " of " + healthResults.size() + " checks have failed");
    return failed == 0 ? 0 : ExitException.FAILED;
  }
}
