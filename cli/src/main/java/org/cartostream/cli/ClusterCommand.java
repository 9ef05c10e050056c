package org.cartostream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.cartostream.cli.cluster.Cluster;
import org.cartostream.cli.cluster.ClusterHome;
import org.cartostream.topology.submission.Nimbus;
import org.cartostream.topology.submission.Nimbus.NimbusException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cartostream cluster}. */
@Command(
    name = "cluster",
    description = {
      "A cluster of its own: ZooKeeper, RabbitMQ and Storm, each in its own process.",
      "",
      "Needs RabbitMQ (Debian: apt-get install rabbitmq-server); all else is here already.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  cartostream cluster up                      on this machine, on 127.0.0.1",
      "  cartostream cluster up --secure --slots 4   with TLS, for up to 4 workers",
      "  cartostream replay my.clf --cluster         through it",
      "  cartostream cluster down                    ends all its processes, deletes all its files",
      "",
      "docs/cluster.md says more."
    },
    subcommands = {
      ClusterCommand.Up.class,
      ClusterCommand.Status.class,
      ClusterCommand.Logs.class,
      ClusterCommand.Robot.class,
      ClusterCommand.Revive.class,
      ClusterCommand.Down.class
    })
final class ClusterCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a command is missing, such as 'cluster up' or 'cluster status'");
  }

  /** {@code cartostream cluster up}. */
  @Command(name = "up", description = "Make a cluster and start it; on failure nothing is left.")
  static final class Up implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private ClusterOption cluster;

    @Option(
        names = "--hosts",
        paramLabel = "FILE.yaml",
        description = "The hosts and their roles; default: everything on this machine.")
    private Path hosts;

    @Option(
        names = "--slots",
        paramLabel = "N",
        defaultValue = "2",
        description = "Most workers on this machine (without --hosts). Default: 2.")
    private int slots;

    @Option(names = "--secure", description = "TLS on every connection, certificates included.")
    private boolean secure;

    @Option(
        names = "--worker-heap",
        paramLabel = "MB",
        defaultValue = "1024",
        description = "Most that a worker's heap takes, in megabytes. Default: 1024.")
    private int workerHeap;

    @Override
    public Integer call() {
      if (slots < 1) {
        throw Failure.wrongUsage("--slots " + slots + ": at least 1 worker is needed");
      }
      PrintWriter out = spec.commandLine().getOut();
      ClusterHome home = cluster.home();
      Cluster.Wish wish = new Cluster.Wish(secure, workerHeap);
      Cluster up =
          hosts == null
              ? Cluster.upHere(home, wish, slots, out::println)
              : Cluster.upOn(home, wish, hosts, out::println);
      out.println(
          "the cluster is up, with " + up.slots() + " slots; its folder is " + home.folder());
      out.flush();
      return 0;
    }
  }

  /** {@code cartostream cluster status}. */
  @Command(name = "status", description = "Which servers run, and which topologies.")
  static final class Status implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private ClusterOption option;

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      Cluster cluster = option.cluster();
      List<Cluster.State> states = cluster.states();
      for (Cluster.State state : states) {
        out.printf(
            "%-10s %-12s %-22s %s%n",
            state.role(),
            state.host(),
            state.address(),
            state.pid() == 0
                ? "down"
                : "process " + state.pid() + (state.listens() ? "" : ", does not answer"));
      }
      boolean allUp = states.stream().allMatch(state -> state.pid() > 0 && state.listens());
      if (allUp) {
        printTopologies(cluster.nimbus(), out);
      }
      out.flush();
      return allUp ? 0 : Failure.FAILED;
    }
  }

  static void printTopologies(Nimbus nimbus, PrintWriter out) {
    try {
      List<Nimbus.Topology> topologies = nimbus.topologies();
      for (Nimbus.Topology topology : topologies) {
        out.printf(
            "topology   %-34s %s for %d s, %d workers, %d tasks%n",
            topology.name(),
            topology.status().toLowerCase(java.util.Locale.ROOT),
            topology.uptimeSeconds(),
            topology.workers(),
            topology.tasks());
        nimbus.tasks(topology.name()).stream()
            .map(task -> "%-10s %s".formatted("", task.component() + " at " + task.slot()))
            .sorted()
            .forEach(out::println);
      }
      if (topologies.isEmpty()) {
        out.println("no topology; 'cartostream submit' brings one");
      }
    } catch (NimbusException e) {
      throw Failure.failed(e.getMessage(), e);
    }
  }

  /** {@code cartostream cluster logs}. */
  @Command(name = "logs", description = "The end of what servers and workers have printed.")
  static final class Logs implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private ClusterOption option;

    @Parameters(
        arity = "0..1",
        paramLabel = "PART",
        defaultValue = "",
        description = "Only files with this in their path: nimbus, worker, broker, ...")
    private String part;

    @Option(
        names = "--lines",
        paramLabel = "N",
        defaultValue = "20",
        description = "Lines of each file. Default: 20.")
    private int lines;

    @Override
    public Integer call() throws IOException {
      PrintWriter out = spec.commandLine().getOut();
      for (Path file : option.cluster().logs()) {
        if (file.toString().contains(part) && Files.size(file) > 0) {
          out.println("== " + file);
          List<String> all = Files.readAllLines(file);
          all.subList(Math.max(0, all.size() - lines), all.size()).forEach(out::println);
        }
      }
      out.flush();
      return 0;
    }
  }

  /** {@code cartostream cluster robot}. */
  @Command(
      name = "robot",
      description = {
        "Make a robot known to the broker, and say how it reaches it.",
        "",
        "The robot may publish its own readings and take its own answers, and nothing else.",
        ""
      })
  static final class Robot implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private ClusterOption option;

    @Parameters(paramLabel = "ID", description = "The robot's id: letters, digits, - and _.")
    private String robot;

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      option.cluster().environmentOf(robot).forEach((key, value) -> out.println(key + "=" + value));
      out.flush();
      return 0;
    }
  }

  /** {@code cartostream cluster revive}. */
  @Command(
      name = "revive",
      description = "Start servers that have died; what they had stored is theirs.")
  static final class Revive implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private ClusterOption option;

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      List<String> started = option.cluster().revive();
      out.println(started.isEmpty() ? "all servers run" : "started " + String.join(", ", started));
      out.flush();
      return 0;
    }
  }

  /** {@code cartostream cluster down}. */
  @Command(name = "down", description = "End all processes of the cluster and delete its files.")
  static final class Down implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private ClusterOption option;

    @Override
    public Integer call() {
      option.cluster().down();
      spec.commandLine().getOut().println("nothing is left of " + option.home().folder());
      return 0;
    }
  }
}
