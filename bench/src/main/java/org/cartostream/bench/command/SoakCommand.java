package org.cartostream.bench.command;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.cartostream.bench.soak.SoakRun;
import org.cartostream.cli.options.ClusterOption;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.FilterSizeOptions;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.settings.RootSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Command {@code bench soak}. */
@Command(
    name = "soak",
    description = {
      "Have many simulated robots drive against a cluster on this machine, for long.",
      "",
      "Each explores the office at the 5 Hz of its laser, with a live gateway of its own. Every"
          + " minute, and at the end, it prints the outcomes of the readings, how long they took from"
          + " the robot to its pose, and what the workers' heaps and queues hold.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  cartostream cluster up --slots 2",
      "  bench soak --robots 20 --minutes 10 --workers 2",
      "  bench soak --robots 6 --minutes 10 --workers 2 --kill-every 120"
    })
final class SoakCommand implements Callable<Integer> {

  private static final int MIN_KILL_SECONDS = 10;

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;
  @Mixin private ClusterOption option;

  @Option(
      names = "--robots",
      paramLabel = "R",
      defaultValue = "20",
      description = "How many robots drive. Default: ${DEFAULT-VALUE}.")
  private int robots;

  @Option(
      names = "--minutes",
      paramLabel = "MIN",
      defaultValue = "10",
      description = "For how long. Default: ${DEFAULT-VALUE}.")
  private int minutes;

  @Option(
      names = "--kill-every",
      paramLabel = "S",
      description =
          "Kill the topology's workers, one every S seconds (10 at least) and each in its turn, as"
              + " by kill -9; Storm starts them again. On a cluster of one host only.")
  private Integer killEvery;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Processes for the tasks (topology.workers).")
  private String workers;

  @Mixin private FilterSizeOptions size;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "out/soak",
      description = "Folder for readings that wait. Default: ${DEFAULT-VALUE}.")
  private Path out;

  @Mixin private ConfigurationOptions configuration;

  @Override
  public Integer call() throws InterruptedException {
    if (robots < 1 || minutes < 1) {
      throw ExitException.wrongUsage(
          "--robots " + robots + ", --minutes " + minutes + ": both must be at least 1");
    }
    if (killEvery != null && killEvery < MIN_KILL_SECONDS) {
      throw ExitException.wrongUsage(
          "--kill-every %d: it must be at least %d s, for workers are looked at every %d s"
              .formatted(killEvery, MIN_KILL_SECONDS, SoakRun.LOOK_EVERY_SECONDS));
    }
    int port = freePort();
    RootSettings settings = configuration.settings(flags(port));
    Cluster cluster = option.cluster();
    if (killEvery != null && cluster.hosts() > 1) {
      throw ExitException.wrongUsage(
          "--kill-every: only on a cluster of one host, and this has " + cluster.hosts());
    }
    // From here on a signal only makes a request, so that the topology is removed again.
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    new SoakRun(
            cluster,
            settings,
            robots,
            minutes,
            Optional.ofNullable(killEvery),
            out,
            shutdownRequest)
        .run(spec.commandLine().getOut());
    return shutdownRequest.exitCode();
  }

  private Map<String, String> flags(int port) {
    Map<String, String> flags = new HashMap<>();
    flags.put("topology.workers", workers);
    size.addTo(flags);
    flags.put("topology.metricsHost", "127.0.0.1");
    flags.put("topology.metricsPort", Integer.toString(port));
    return flags;
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }
}
