package org.cartostream.cli.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.cartostream.broker.Accounts;
import org.cartostream.broker.BrokerAddress;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.TlsFolder;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.broker.local.RabbitMqNode;
import org.cartostream.topology.submission.Nimbus;
import org.cartostream.topology.submission.Nimbus.NimbusException;

/**
 * A cluster: starts and stops its processes, and knows where they answer.
 *
 * <p>Owns nothing in memory: all is in the {@link ClusterHome} and in the processes, so any other
 * command, at any other time, finds the same cluster.
 */
public final class Cluster {

  private static final long STOP_SECONDS = 30;

  private final ClusterHome home;
  private final Plan plan;
  private final Layout layout;

  private Cluster(ClusterHome home, Plan plan) {
    this.home = home;
    this.plan = plan;
    this.layout = new Layout(home, plan);
  }

  /**
   * One of the servers as it is now.
   *
   * @param pid 0 if it does not run, or its host cannot be reached
   * @param listens true if its port takes connections
   * @param unreachable why its host cannot be reached; empty if it can
   */
  public record State(
      String role,
      String host,
      String address,
      long pid,
      boolean listens,
      Optional<String> unreachable) {}

  /**
   * What a cluster can be asked to be.
   *
   * @param secure true for TLS on all connections
   * @param workerHeapMegabytes most that a worker's heap takes
   */
  public record Wish(boolean secure, int workerHeapMegabytes) {}

  /**
   * The cluster that is in a folder.
   *
   * @throws ClusterException if there is none
   */
  public static Cluster at(ClusterHome home) {
    return new Cluster(home, home.plan());
  }

  /**
   * Makes a cluster and starts it; if that fails, nothing is left of it.
   *
   * @param progress hears what is being done
   * @param unwanted true once it is not to be waited for any longer
   * @throws ClusterException if there is one already, if a server does not start (the message has
   *     the end of what it said), or if it is unwanted
   */
  static Cluster up(
      ClusterHome home, Plan plan, Consumer<String> progress, BooleanSupplier unwanted) {
    if (home.exists()) {
      throw new ClusterException(
          "there is a cluster in "
              + home.folder()
              + " already; 'cartostream cluster down' ends it");
    }
    Host broker = plan.only(Role.BROKER);
    if (broker.run("test -x %s || echo no\n".formatted(RabbitMqNode.SERVER)).startsWith("no")) {
      throw new ClusterException(
          broker.name()
              + " is to be the broker's host, but has no RabbitMQ: apt-get install "
              + RabbitMqNode.PACKAGE);
    }
    home.claim();
    Cluster cluster = new Cluster(home, plan);
    try {
      cluster.furnish();
      cluster.start(progress, new Patience(unwanted));
      return cluster;
    } catch (RuntimeException e) {
      throw cluster.rolledBack(e);
    } catch (IOException e) {
      throw cluster.rolledBack(
          new ClusterException("the cluster's files cannot be written: " + e.getMessage(), e));
    }
  }

  /** Takes everything away again; what is thrown says first why there is no cluster. */
  private RuntimeException rolledBack(RuntimeException why) {
    try {
      down();
      return why;
    } catch (ClusterException left) {
      return new ClusterException(why.getMessage() + "\nBesides, " + left.getMessage(), why);
    }
  }

  /**
   * A cluster on this machine, on 127.0.0.1 and ports that are free now.
   *
   * @param slots most workers
   * @param progress hears what is being done
   * @param unwanted true once it is not to be waited for any longer; then nothing is left of it
   */
  public static Cluster upHere(
      ClusterHome home, Wish wish, int slots, Consumer<String> progress, BooleanSupplier unwanted) {
    Plan plan = Plan.here(slots, wish.secure(), wish.workerHeapMegabytes());
    return up(home, plan, progress, unwanted);
  }

  /** The same on the hosts of a file. */
  public static Cluster upOn(
      ClusterHome home,
      Wish wish,
      Path hosts,
      Consumer<String> progress,
      BooleanSupplier unwanted) {
    Plan plan = Plan.of(hosts, wish.secure(), wish.workerHeapMegabytes());
    return up(home, plan, progress, unwanted);
  }

  private void furnish() throws IOException {
    home.create(plan);
    String password = new Secrets(home.secrets()).password(Accounts.SERVICE);
    layout.furnish(new Accounts().withService(password));
    for (Host host : plan.hosts()) {
      if (!host.sharesFiles()) {
        new Copy(home, host).send();
      }
    }
  }

  private void start(Consumer<String> progress, Patience patience) {
    List<Daemon> daemons = layout.daemons();
    daemons.stream().filter(Daemon::listens).findFirst().ifPresent(Cluster::refuseTaken);
    for (Role role : Role.values()) {
      List<Daemon> some = daemons.stream().filter(each -> each.role() == role).toList();
      some.forEach(Daemon::start);
      for (Daemon daemon : some) {
        patience.await(daemon, daemon::listens);
        progress.accept(daemon + " listens at " + daemon.host().address() + ":" + daemon.port());
      }
    }
    int supervisors = (int) daemons.stream().filter(d -> d.role() == Role.SUPERVISOR).count();
    Daemon nimbus = daemons.stream().filter(d -> d.role() == Role.NIMBUS).findFirst().orElseThrow();
    patience.await(nimbus, () -> knows(supervisors));
  }

  private static void refuseTaken(Daemon daemon) {
    throw new ClusterException(
        "somebody listens at %s:%d already, where this cluster's %s is to listen"
            .formatted(daemon.host().address(), daemon.port(), daemon.role()));
  }

  private boolean knows(int supervisors) {
    try {
      return nimbus().supervisors() == supervisors;
    } catch (NimbusException notYet) {
      return false;
    }
  }

  /**
   * Ends every process of the cluster on every host, and deletes its files.
   *
   * @throws ClusterException if that was not possible on some host; then it is done on all others,
   *     and the cluster's folder stays here, so that it can be asked for again
   */
  public void down() {
    List<ClusterException> failures = new ArrayList<>();
    for (Host host : plan.hosts()) {
      try {
        clear(host);
      } catch (ClusterException e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      ClusterException all =
          new ClusterException(
              "something may be left of the cluster on %d of %d hosts (%s); 'cartostream cluster down' tries again"
                  .formatted(
                      failures.size(),
                      plan.hosts().size(),
                      failures.stream()
                          .map(Throwable::getMessage)
                          .collect(Collectors.joining("; "))));
      failures.forEach(all::addSuppressed);
      throw all;
    }
    home.delete();
  }

  private void clear(Host host) {
    Leftovers leftovers = new Leftovers(home, host);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
    while (!leftovers.kill().isEmpty()) {
      if (System.nanoTime() > end) {
        throw new ClusterException(
            "processes " + leftovers.pids() + " on " + host.name() + " do not end");
      }
      Patience.pause();
    }
    if (!host.sharesFiles()) {
      new Copy(home, host).delete();
    }
  }

  /** Every process of the cluster, by host. */
  public Map<String, List<Long>> processes() {
    Map<String, List<Long>> all = new TreeMap<>();
    plan.hosts().forEach(host -> all.put(host.name(), new Leftovers(home, host).pids()));
    return all;
  }

  /** The servers as they are now. */
  public List<State> states() {
    Absent absent = new Absent();
    return layout.daemons().stream()
        .map(
            daemon ->
                new State(
                    daemon.role().toString(),
                    daemon.host().name(),
                    daemon.host().address() + ":" + daemon.port(),
                    absent.ask(daemon.host(), daemon::pid).orElse(0L),
                    daemon.listens(),
                    absent.why(daemon.host())))
        .toList();
  }

  /** Whether it works, part by part; takes some seconds. */
  public List<Finding> health() {
    return new Health(this, layout).findings();
  }

  /**
   * Starts servers that have died.
   *
   * @return what they are
   * @throws ClusterException if one does not start; and if some hosts cannot be reached, when all
   *     on the others run
   */
  public List<String> revive() {
    Absent absent = new Absent();
    List<Daemon> dead =
        layout.daemons().stream()
            .filter(each -> absent.ask(each.host(), each::pid).filter(pid -> pid == 0).isPresent())
            .toList();
    List<String> started = new ArrayList<>();
    for (Daemon daemon : dead) {
      try {
        daemon.start();
        Patience.TO_THE_END.await(daemon, daemon::listens);
      } catch (ClusterException e) {
        // It may well be for want of what is on a host that is away.
        throw absent.sentences().isEmpty()
            ? e
            : new ClusterException(away(absent) + "; " + e.getMessage(), e);
      }
      started.add(daemon.toString());
    }
    if (!absent.sentences().isEmpty()) {
      String others = dead.isEmpty() ? "all servers run" : "started " + String.join(", ", started);
      throw new ClusterException(away(absent) + "; on the others " + others);
    }
    return started;
  }

  private String away(Absent absent) {
    return "%d of %d hosts cannot be reached (%s)"
        .formatted(
            absent.sentences().size(), plan.hosts().size(), String.join("; ", absent.sentences()));
  }

  /**
   * The end of what servers and workers have printed, each file after a line with its path; at the
   * end a line for each host that cannot be reached.
   *
   * @param part only of files with this in their path below {@code logs/}
   * @param lines most of each file
   */
  public List<String> logs(String part, int lines) {
    return new Logs(home, plan).ends(part, lines);
  }

  /** Where it is. */
  public Path folder() {
    return home.folder();
  }

  /** Its Nimbus. */
  public Nimbus nimbus() {
    return new Nimbus(StormFiles.client(home, plan));
  }

  /** Its ZooKeeper. */
  public ZooKeeperAccess zookeeper() {
    String server = plan.addressOf(Role.ZOOKEEPER) + ":" + plan.ports().zookeeper();
    return plan.secure()
        ? ZooKeeperAccess.secured(server, new Identities(home).zookeeperStores())
        : ZooKeeperAccess.plain(server);
  }

  /** How many hosts it has. */
  public int hosts() {
    return plan.hosts().size();
  }

  /** Worker slots in all. */
  public int slots() {
    return plan.slots();
  }

  /** How the service's workers reach the broker: user and password are in their environment. */
  public BrokerSettings brokerForWorkers(BrokerSettings settings) {
    return settings.withUri(uri("")).withTls("");
  }

  /** How the service's user reaches the broker from here. */
  public BrokerSettings brokerForService(BrokerSettings settings) {
    return as(Accounts.SERVICE, new Identities(home).client().folder(), settings);
  }

  /**
   * How a robot reaches the broker from here. It becomes known to the broker, if it is not yet.
   *
   * @throws org.cartostream.broker.RefusedMessageException if it is no robot's id
   */
  public BrokerSettings brokerForRobot(String robot, BrokerSettings settings) {
    Robots robots = new Robots(home, plan);
    robots.admit(robot);
    return as(robot, new Identities(home).of(robot).folder(), settings);
  }

  /**
   * What a gateway of a robot wants to find in its environment: it becomes known to the broker, if
   * it is not yet. Passwords are named by their files.
   */
  public Map<String, String> environmentOf(String robot) {
    Robots robots = new Robots(home, plan);
    robots.admit(robot);
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put(BrokerAddress.USER_VARIABLE, robot);
    environment.put(
        BrokerAddress.PASSWORD_FILE_VARIABLE, new Secrets(home.secrets()).file(robot).toString());
    if (plan.secure()) {
      environment.put(TlsFolder.VARIABLE, new Identities(home).of(robot).folder().toString());
    }
    environment.put("CARTOSTREAM_BROKER", uri(""));
    return environment;
  }

  private BrokerSettings as(String user, Path tls, BrokerSettings settings) {
    String login = user + ":" + new Secrets(home.secrets()).password(user) + "@";
    return settings.withUri(uri(login)).withTls(plan.secure() ? tls.toString() : "");
  }

  private String uri(String login) {
    String scheme = plan.secure() ? "amqps://" : "amqp://";
    String at = plan.addressOf(Role.BROKER) + ":" + plan.ports().broker();
    return scheme + login + at + "/" + Accounts.VHOST;
  }
}
