package org.cartostream.cli.cluster;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.cli.options.ClusterOption;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.JsonOption;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.cluster.ClusterOptions;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.run.exit.ExitException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Command {@code cartostream cluster} and its subcommands. */
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
      "  cartostream cluster down                    ends it and deletes its files, asks",
      "",
      "docs/cluster.md says more."
    },
    subcommands = {
      ClusterCommand.Up.class,
      ClusterCommand.Status.class,
      ClusterHealthCommand.class,
      ClusterWatchCommand.class,
      ClusterCommand.Logs.class,
      ClusterCommand.Robot.class,
      ClusterCommand.Observer.class,
      ClusterCommand.Revive.class,
      RestartCommand.class,
      ClusterCommand.Drain.class,
      ClusterCommand.Down.class
    })
public final class ClusterCommand implements Runnable {

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
        names = "--force",
        description =
            "With --hosts and without --secure: let servers listen where other machines reach them."
                + " Whoever does may submit code.")
    private boolean force;

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
        throw ExitException.wrongUsage(
            "--slots " + slots + " goes with a cluster on this machine; " + hosts + " has its own");
      }
      if (slots != null && slots < 1) {
        throw ExitException.wrongUsage("--slots " + slots + ": at least 1 worker is needed");
      }
      PrintWriter out = spec.commandLine().getOut();
      ClusterHome home = cluster.home();
      ClusterOptions clusterOptions = new ClusterOptions(secure, workerHeap, force);
      BooleanSupplier unwanted = parent.parent.shutdownRequest()::requested;
      int max = slots == null ? USUAL_SLOTS : slots;
      Cluster up =
          hosts == null
              ? Cluster.startHere(home, clusterOptions, max, out::println, unwanted)
              : Cluster.startOn(home, clusterOptions, hosts, out::println, unwanted);
      out.println(
          "the cluster is up, with " + up.slots() + " slots; its folder is " + home.folder());
      out.flush();
      return 0;
    }
  }

  /** {@code cartostream cluster status}. */
  @Command(name = "status", description = "Which servers run, and which topologies.")
  static final class Status extends ClusterSubcommand {

    @Mixin private JsonOption json;

    @Override
    int run(Cluster cluster, PrintWriter out) throws NimbusException {
      List<Cluster.ServerState> serverStates = cluster.states();
      boolean allUp = serverStates.stream().allMatch(Cluster.ServerState::isWell);
      boolean hasNimbus =
          serverStates.stream()
              .filter(serverState -> serverState.role().equals(HostRole.NIMBUS.toString()))
              .anyMatch(Cluster.ServerState::isWell);
      Optional<List<TopologiesCommand.Running>> topologies =
          hasNimbus ? Optional.of(TopologiesCommand.all(cluster.nimbus())) : Optional.empty();
      if (json.isAsked()) {
        JsonOption.print(
            out, Map.of("servers", serverStates, "topologies", topologies.orElse(List.of())));
      } else {
        print(serverStates, out);
        topologies.ifPresent(all -> TopologiesCommand.print(all, out));
      }
      return allUp ? 0 : ExitException.FAILED;
    }

    private static void print(List<Cluster.ServerState> serverStates, PrintWriter out) {
      for (Cluster.ServerState serverState : serverStates) {
        out.printf(
            "%-10s %-12s %-22s %s%n",
            serverState.role(), serverState.host(), serverState.address(), what(serverState));
      }
    }

    private static String what(Cluster.ServerState serverState) {
      if (!serverState.unreachable().isEmpty()) {
        return "its host cannot be reached: " + serverState.unreachable();
      }
      if (serverState.pid() == 0 && serverState.drained()) {
        return "drained: 'cluster revive --drained' has it run workers again";
      }
      return serverState.pid() == 0
          ? "down"
          : "process " + serverState.pid() + (serverState.listens() ? "" : ", does not answer");
    }
  }

  /** {@code cartostream cluster logs}. */
  @Command(name = "logs", description = "The end of what servers and workers have printed.")
  static final class Logs extends ClusterSubcommand {

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
    int run(Cluster cluster, PrintWriter out) {
      if (lines < 1) {
        throw ExitException.wrongUsage("--lines " + lines + ": at least 1 line of each file");
      }
      List<String> ends = cluster.logs(part, lines);
      if (ends.isEmpty()) {
        throw ExitException.failed(
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
  static final class Robot extends ClusterSubcommand {

    @Parameters(paramLabel = "ID", description = "The robot's id: letters, digits, - and _.")
    private String robot;

    @Option(
        names = "--remove",
        description =
            "End the robot's account instead: its connections, its queues, its certificate.")
    private boolean remove;

    @Override
    int run(Cluster cluster, PrintWriter out) {
      try {
        if (remove) {
          cluster.access().removeRobot(robot);
          out.println("the broker knows no robot '" + robot + "' any more");
        } else {
          print(cluster.access().environmentForRobot(robot), out);
        }
        return 0;
      } catch (RefusedMessageException e) {
        throw ExitException.wrongUsage(e.getMessage(), e);
      }
    }

    private static void print(Map<String, String> environment, PrintWriter out) {
      environment.forEach((key, value) -> out.println(key + "=" + value));
    }
  }

  /** {@code cartostream cluster observer}. */
  @Command(
      name = "observer",
      description = {
        "Make an observer known to the broker, and say how it reaches it.",
        "",
        "It may take every robot's poses, maps and outcomes from its queue, cartostream.observer.NAME,"
            + " and nothing else.",
        ""
      })
  static final class Observer extends ClusterSubcommand {

    @Parameters(paramLabel = "NAME", description = "Its name: letters, digits, - and _.")
    private String name;

    @Override
    int run(Cluster cluster, PrintWriter out) {
      try {
        Robot.print(cluster.access().environmentForObserver(name), out);
        return 0;
      } catch (RefusedMessageException e) {
        throw ExitException.wrongUsage(e.getMessage(), e);
      }
    }
  }

  /** {@code cartostream cluster restart}. */
  @Command(
      name = "revive",
      description = "Start servers that have died; what they had stored is theirs.")
  static final class Revive extends ClusterSubcommand {

    @Option(names = "--drained", description = "On hosts that were drained, too.")
    private boolean drained;

    @Override
    int run(Cluster cluster, PrintWriter out) {
      List<String> started = cluster.restart(drained);
      out.println(started.isEmpty() ? "all servers run" : "started " + String.join(", ", started));
      cluster.states().stream()
          .filter(Cluster.ServerState::drained)
          .forEach(
              state ->
                  out.println(
                      state.host() + " is drained: 'cluster revive --drained' has it run workers"));
      return 0;
    }
  }

  /** {@code cartostream cluster drain}. */
  @Command(
      name = "drain",
      description = {
        "Empty a host of workers: Storm starts them on others, and runs go on there.",
        "",
        "The others need free slots, and all hosts the same checkpoints. The host's other servers"
            + " stay. 'cluster revive --drained' has it run workers again.",
        ""
      })
  static final class Drain extends ClusterSubcommand {

    @Parameters(paramLabel = "HOST", description = "As 'cluster status' shows it.")
    private String host;

    @Override
    int run(Cluster cluster, PrintWriter out) {
      long start = System.nanoTime();
      int workers = cluster.drain(host);
      double seconds = (System.nanoTime() - start) / 1e9;
      out.printf(
          Locale.ROOT,
          "%s has no workers any more; %d run on other hosts after %.1f s%n",
          host,
          workers,
          seconds);
      return 0;
    }
  }

  /** {@code cartostream cluster down}. */
  @Command(name = "down", description = "End all processes of the cluster and delete its files.")
  static final class Down extends ClusterSubcommand {

    @Option(names = "--yes", description = "Do not ask, even if checkpoints are deleted with it.")
    private boolean yes;

    @Override
    int run(Cluster cluster, PrintWriter out) {
      List<String> keepers = yes ? List.of() : cluster.hostsWithCheckpoints();
      if (!keepers.isEmpty() && !isAgreed(keepers)) {
        throw ExitException.wrongUsage(
            "the cluster has checkpoints on %s, which go with it, and nothing was done: --yes deletes them"
                .formatted(String.join(", ", keepers)));
      }
      cluster.down();
      out.println("nothing is left of " + cluster.folder());
      return 0;
    }

    /** Asks the user on the terminal for consent; returns false without a terminal. */
    private static boolean isAgreed(List<String> keepers) {
      Console console = System.console();
      String answer =
          console == null
              ? null
              : console.readLine(
                  "This deletes the checkpoints on %s. Type yes to go on: ",
                  String.join(", ", keepers));
      return "yes".equals(answer);
    }
  }
}
