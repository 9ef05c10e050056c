package org.cartostream.cli.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.SubmittedServices;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.run.deployment.ClusterService;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code cartostream cluster restart}. */
@Command(
    name = "restart",
    description = {
      "End a submitted service and start it again, with other settings if wanted.",
      "",
      "Its robots' runs go on from their checkpoints, to the same bytes. No reading is lost; they"
          + " wait in the broker meanwhile, and in robots' gateways. slam.*, localisation.* and"
          + " checkpoint.folder cannot change: the runs depend on them.",
      ""
    })
final class RestartCommand extends ClusterSubcommand {

  /**
   * Prefixes of the settings that must not change on a restart: those on which the runs' answers
   * depend, and the place of their checkpoints.
   */
  private static final List<String> OF_THE_RUNS =
      List.of("slam.", "localisation.", "checkpoint.folder");

  private static final String CHECKPOINT_PERIOD = "checkpoint.everySeconds";

  @Parameters(paramLabel = "NAME", description = "As 'cartostream topologies' shows it.")
  private String name;

  @Mixin private ConfigurationOptions configuration;

  @Override
  int run(Cluster cluster, PrintWriter out) throws NimbusException, InterruptedException {
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
      requireClusterBroker();
      requireSameRuns(before, settings.shown());
      requireCheckpoints(before, settings.shown());
      requireSlots(cluster, settings);
      restart(cluster, services, settings, out);
      return 0;
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  private void restart(
      Cluster cluster, SubmittedServices services, RootSettings settings, PrintWriter out) {
    try {
      double seconds =
          new ClusterService(cluster, name)
              .restart(settings.service(cluster.access().brokerForWorkers(settings.broker())));
      try {
        services.save(name, settings.shown());
      } catch (IOException e) {
        out.printf(
            "%s was restarted, but its settings cannot be kept for the next time: %s%n", name, e);
      }
      out.printf(Locale.ROOT, "%s takes readings again, after %.1f s%n", name, seconds);
    } catch (NimbusException | ExitException | ClusterException e) {
      throw ExitException.failed(
          "%s was not restarted, and may be down: %s; 'cluster restart %s' tries again"
              .formatted(name, e.getMessage(), name),
          e);
    }
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

  /**
   * Refuses settings for the broker's address and the service's name, which a service on a cluster
   * must keep.
   */
  private void requireClusterBroker() {
    Stream.of("broker.uri", "broker.service")
        .flatMap(key -> configuration.assigned(key).stream())
        .findFirst()
        .ifPresent(
            key -> {
              throw ExitException.wrongUsage(
                  "%s: %s keeps its name and the cluster's broker; 'submit' begins another service"
                      .formatted(key, name));
            });
  }

  /**
   * Checks that the service writes checkpoints before and after the restart. Without one, its runs
   * would begin anew and lose their maps.
   */
  private void requireCheckpoints(Map<String, String> before, Map<String, String> after) {
    for (Map<String, String> settings : List.of(before, after)) {
      if (Double.parseDouble(settings.get(CHECKPOINT_PERIOD)) == 0) {
        throw ExitException.wrongUsage(
            "%s is 0%s, so that the runs of %s have no checkpoint to go on from; 'kill' and 'submit' begin them anew"
                .formatted(CHECKPOINT_PERIOD, settings == before ? " now" : "", name));
      }
    }
  }

  /**
   * Checks that the cluster has enough slots for the new settings. This is done before the service
   * is ended, since it could not be started again.
   */
  private void requireSlots(Cluster cluster, RootSettings settings) throws NimbusException {
    int workers = settings.topology().workers();
    Nimbus nimbus = cluster.nimbus();
    int free = nimbus.freeSlots();
    int own = nimbus.workers(name);
    if (workers > free + own) {
      throw ExitException.wrongUsage(
          "topology.workers is %d, and of the cluster's %d slots %d are free and %d are those of %s, which stays as it is"
              .formatted(workers, cluster.slots(), free, own, name));
    }
  }
}
