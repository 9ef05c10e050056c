package org.cartostream.cli.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.FilterSizeOptions;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.run.deployment.ClusterDeployment;
import org.cartostream.run.deployment.ClusterService;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command {@code cartostream submit}. */
@Command(
    name = "submit",
    description = {
      "Bring the service onto a cluster, where robots' gateways find it by its name.",
      "",
      "Its jar holds Cartostream's classes only: Storm and the libraries are in the cluster.",
      ""
    })
public final class SubmitCommand extends ClusterSubcommand {

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The service's name (broker.service); the topology is called the same.")
  private String name;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Processes for the tasks (topology.workers).")
  private String workers;

  @Mixin private FilterSizeOptions size;

  @Mixin private ConfigurationOptions configuration;

  @Override
  int run(Cluster cluster, PrintWriter out) throws NimbusException {
    ClusterHome home = new ClusterHome(cluster.folder());
    Map<String, String> flags = new LinkedHashMap<>();
    flags.put("broker.service", name);
    flags.put("topology.workers", workers);
    size.addTo(flags);
    RootSettings settings =
        configuration.settings(flags).withCheckpointsIn(ClusterDeployment.checkpoints(home));
    ClusterSpec.requireStore("checkpoint.folder", settings.checkpoint().folder());
    String service = settings.broker().service();
    new ClusterService(cluster, service)
        .submit(settings.service(cluster.access().brokerForWorkers(settings.broker())), () -> {});
    try {
      home.services().save(service, settings.shown());
    } catch (IOException e) {
      throw ExitException.of(e);
    }
    if (settings.checkpoint().everySeconds() == 0) {
      out.println(
          "checkpoint.everySeconds is 0: with a worker that dies its robots' maps are lost");
    }
    out.println("submitted " + service + "; 'cartostream topologies' shows it");
    return 0;
  }
}
