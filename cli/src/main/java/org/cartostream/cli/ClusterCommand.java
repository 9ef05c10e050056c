package org.cartostream.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.cli.cluster.Cluster;
import org.cartostream.cli.cluster.ClusterHome;
import org.cartostream.topology.submission.Nimbus.NimbusException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
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
      "  cartostream cluster health                  whether it works, and why not",
      "  cartostream cluster down                    ends it and deletes its files",
      "",
      "docs/cluster.md says more."
    },
    subcommands = {
      ClusterCommand.Up.class,
      ClusterCommand.Status.class,
      ClusterHealthCommand.class,
      ClusterCommand.Logs.class,
      ClusterCommand.Robot.class,
      ClusterCommand.Revive.class,
      ClusterCommand.Down.class
    })
final class ClusterCommand implements Runnable {

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a command is missing, such as 'cluster up' or 'cluster status'");
  }

  /** {@code cartostream cluster up}. */
  @Command(name = "up", description = "Make a cluster and start it; on failure nothing is left.")
  static final class Up implements Callable<Integer> {

    private static final int USUAL_SLOTS = 2;

    @Spec private CommandSpec spec;
    @ParentCommand private ClusterCommand parent;
    @Mixin private ClusterOption cluster;

    @Option(
        names = "--hosts",
        paramLabel = "FILE",
        description = "The hosts and their roles; default: everything on this machine.")
    private Path hosts;

    @Option(
        names = "--slots",
        paramLabel = "N",
        description = "Most workers on this machine (without --hosts). Default: 2.")
    private Integer slots;

    @Option(names = "--secure", description = "TLS on every connection, certificates included.")
    private boolean secure;

    @Option(
        names = "--worker-heap",
        paramLabel = "MB",
        defaultValue = "1024",
        description =
            "Most that each worker's heap takes, in megabytes; a host needs that for each of its"
                + " slots, and some 1000 for servers. Default: ${DEFAULT-VALUE}.")
    private int workerHeap;

    @Override
    public Integer call() {
      if (slots != null && hosts != null) {
        throw Failure.wrongUsage(
            "--slots " + slots + " goes with a cluster on this machine; " + hosts + " has its own");
      }
      if (slots != null && slots < 1) {
        throw Failure.wrongUsage("--slots " + slots + ": at least 1 worker is needed");
      }
      PrintWriter out = spec.commandLine().getOut();
      ClusterHome home = cluster.home();
      Cluster.Wish wish = new Cluster.Wish(secure, workerHeap);
      BooleanSupplier unwanted = parent.parent.interruption()::requested;
      int most = slots == null ? USUAL_SLOTS : slots;
      Cluster up =
          hosts == null
              ? Cluster.upHere(home, wish, most, out::println, unwanted)
              : Cluster.upOn(home, wish, hosts, out::println, unwanted);
      out.println(
          "the cluster is up, with " + up.slots() + " slots; its folder is " + home.folder());
      out.flush();
      return 0;
    }
  }

  /** {@code cartostream cluster status}. */
  @Command(name = "status", description = "Which servers run, and which topologies.")
  static final class Status extends OnCluster {

    @Override
    int on(Cluster cluster, PrintWriter out) throws NimbusException {
      List<Cluster.State> states = cluster.states();
      for (Cluster.State state : states) {
        out.printf(
            "%-10s %-12s %-22s %s%n", state.role(), state.host(), state.address(), what(state));
      }
      boolean allUp = states.stream().allMatch(state -> state.pid() > 0 && state.listens());
      if (allUp) {
        TopologiesCommand.print(cluster.nimbus(), out);
      }
      return allUp ? 0 : Failure.FAILED;
    }

    private static String what(Cluster.State state) {
      if (state.unreachable().isPresent()) {
        return "its host cannot be reached: " + state.unreachable().get();
      }
      return state.pid() == 0
          ? "down"
          : "process " + state.pid() + (state.listens() ? "" : ", does not answer");
    }
  }

  /** {@code cartostream cluster logs}. */
  @Command(name = "logs", description = "The end of what servers and workers have printed.")
  static final class Logs extends OnCluster {

    @Parameters(
        arity = "0..1",
        paramLabel = "PART",
        defaultValue = "",
        description =
            "Only files with this in their path: nimbus, broker, a topology's name (of 'submit'"
                + " without --name: service), ...")
    private String part;

    @Option(
        names = "--lines",
        paramLabel = "N",
        defaultValue = "20",
        description = "Lines of each file. Default: 20.")
    private int lines;

    @Override
    int on(Cluster cluster, PrintWriter out) {
      if (lines < 1) {
        throw Failure.wrongUsage("--lines " + lines + ": at least 1 line of each file");
      }
      List<String> ends = cluster.logs(part, lines);
      if (ends.isEmpty()) {
        throw Failure.failed(
            part.isEmpty()
                ? "no server of the cluster has printed anything"
                : "no log of the cluster has '" + part + "' in its path; without it all are shown");
      }
      ends.forEach(out::println);
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
  static final class Robot extends OnCluster {

    @Parameters(paramLabel = "ID", description = "The robot's id: letters, digits, - and _.")
    private String robot;

    @Override
    int on(Cluster cluster, PrintWriter out) {
      try {
        cluster.environmentOf(robot).forEach((key, value) -> out.println(key + "=" + value));
        return 0;
      } catch (RefusedMessageException e) {
        throw Failure.wrongUsage(e.getMessage(), e);
      }
    }
  }

  /** {@code cartostream cluster revive}. */
  @Command(
      name = "revive",
      description = "Start servers that have died; what they had stored is theirs.")
  static final class Revive extends OnCluster {

    @Override
    int on(Cluster cluster, PrintWriter out) {
      List<String> started = cluster.revive();
      out.println(started.isEmpty() ? "all servers run" : "started " + String.join(", ", started));
      return 0;
    }
  }

  /** {@code cartostream cluster down}. */
  @Command(name = "down", description = "End all processes of the cluster and delete its files.")
  static final class Down extends OnCluster {

    @Override
    int on(Cluster cluster, PrintWriter out) {
      cluster.down();
      out.println("nothing is left of " + cluster.folder());
      return 0;
    }
  }
}
