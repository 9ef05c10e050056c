package org.cartostream.cli.cluster;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.cartostream.cli.options.JsonOption;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.cluster.HealthResult;
import org.cartostream.run.exit.ExitException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Command {@code cartostream cluster health}. */
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

  @Mixin private JsonOption json;

  @Override
  int run(Cluster cluster, PrintWriter out) {
    List<HealthResult> healthResults = cluster.health();
    long failed = healthResults.stream().filter(healthResult -> !healthResult.isHealthy()).count();
    if (json.isAsked()) {
      JsonOption.print(out, Map.of("healthy", failed == 0, "parts", healthResults));
      return failed == 0 ? 0 : ExitException.FAILED;
    }
    for (HealthResult healthResult : healthResults) {
      out.printf(
          "%-4s %-34s %s%n",
          healthResult.isHealthy() ? "ok" : "FAIL", healthResult.part(), healthResult.finding());
      if (!healthResult.isHealthy()) {
        out.printf("%-4s %-34s -> %s%n", "", "", healthResult.remedy());
      }
    }
    out.println(
        failed == 0
            ? "all is well"
            : failed + " of " + healthResults.size() + " checks have failed");
    return failed == 0 ? 0 : ExitException.FAILED;
  }
}
