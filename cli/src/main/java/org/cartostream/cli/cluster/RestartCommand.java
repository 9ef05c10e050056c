package org.cartostream.cli.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.SubmittedServices;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.run.deployment.ClusterService;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs {@code cartostream cluster restart}. */
@Command(
    name = "restart",
    description = {
      "End a submitted service and start it again, with other settings if wanted.",
      "",
      "Its robots' runs go on from their checkpoints, to the same bytes. No reading",
      "is lost; they wait in the broker meanwhile, and in robots' gateways.",
      ""
    })
final class RestartCommand extends ClusterSubcommand {

  /** What the answers of runs depend on, and where their checkpoints are. */
  private static final List<String> OF_THE_RUNS =
      List.of("slam.", "localisation.", "checkpoint.folder");

  @Parameters(paramLabel = "NAME", description = "As 'cartostream topologies' shows it.")
  private String name;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description = {
        "Do it again and again, such as each 24h, 90m or 30s, until Ctrl-C. What fails is",
        "said and tried again, after 10 s and then later and later, 5 min at most."
      })
  private String every;

  @Mixin private ConfigurationOptions configuration;

  @Override
  int run(Cluster cluster, PrintWriter out) throws NimbusException, InterruptedException {
    Duration pause = every == null ? null : duration(every);
    SubmittedServices services = new ClusterHome(cluster.folder()).services();
    try {
      Map<String, String> before =
          services
              .find(name)
              .orElseThrow(
                  () ->
                      ExitException.failed(
                          "no service '%s' was submitted by 'cartostream submit'".formatted(name)));
      RootSettings settings = configuration.settings(before, Map.of("broker.service", name));
      requireSameRuns(before, settings.shown());
      requireSlots(cluster, settings);
      PlannedRestarts.Restart restart = () -> restart(cluster, services, settings, out);
      if (pause == null) {
        once(restart, out);
      } else {
        PlannedRestarts.Sleep sleep = time -> Thread.sleep(time.toMillis());
        new PlannedRestarts(name, pause, restart, sleep).goOn(out);
      }
      return 0;
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  private void once(PlannedRestarts.Restart restart, PrintWriter out) throws IOException {
    try {
      out.printf(Locale.ROOT, "%s takes readings again, after %.1f s%n", name, restart.restart());
    } catch (NimbusException | ExitException | ClusterException e) {
      throw ExitException.failed(
          "%s was not restarted, and may be down: %s; 'cluster restart %s' tries again"
              .formatted(name, e.getMessage(), name),
          e);
    }
  }

  private double restart(
      Cluster cluster, SubmittedServices services, RootSettings settings, PrintWriter out)
      throws NimbusException, IOException {
    double seconds =
        new ClusterService(cluster, name)
            .restart(settings.service(cluster.access().brokerForWorkers(settings.broker())));
    try {
      services.save(name, settings.shown());
    } catch (IOException e) {
      out.printf(
          "%s was restarted, but its settings cannot be kept for the next time: %s%n", name, e);
    }
    return seconds;
  }

  private void requireSameRuns(Map<String, String> before, Map<String, String> after) {
    new TreeMap<>(after)
        .forEach(
            (key, value) -> {
              boolean isOfRuns = OF_THE_RUNS.stream().anyMatch(key::startsWith);
              if (isOfRuns && !value.equals(before.get(key))) {
                throw ExitException.wrongUsage(
                    "%s is %s for the runs of %s, which could not go on with %s; 'kill' and 'submit' begin them anew"
                        .formatted(key, before.get(key), name, value));
              }
            });
  }

  /** Not found out when it is ended. */
  private static void requireSlots(Cluster cluster, RootSettings settings) {
    int workers = settings.topology().workers();
    if (workers > cluster.slots()) {
      throw ExitException.wrongUsage(
          "topology.workers is %d, and the cluster has %d slots"
              .formatted(workers, cluster.slots()));
    }
  }

  private static Duration duration(String text) {
    try {
      Duration duration = Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
      if (duration.toSeconds() > 0) {
        return duration;
      }
    } catch (DateTimeException e) {
      throw ExitException.wrongUsage(
          "--every '" + text + "': a time such as 24h, 90m or 30s is needed", e);
    }
    throw ExitException.wrongUsage("--every '" + text + "': at least 1s is needed");
  }
}
