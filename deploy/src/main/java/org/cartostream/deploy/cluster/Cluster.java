package org.cartostream.deploy.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.deploy.certificate.ClusterCertificates;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.host.UnreachableHosts;
import org.cartostream.deploy.process.ClusterProcesses;
import org.cartostream.deploy.process.RemoteFiles;
import org.cartostream.deploy.process.ServerProcess;
import org.cartostream.deploy.process.StartupWait;
import org.cartostream.deploy.server.ClusterServers;
import org.cartostream.deploy.server.StormConfiguration;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.deploy.spec.PasswordFiles;
import org.cartostream.deploy.submission.InMemoryHeartbeatLauncher;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;

/**
 * Cluster on one host or several: starts and stops its processes, and shows their state.
 *
 * <p>Owns nothing in memory: all is in the {@link ClusterHome} and in the processes, so any
 * command, at any time, finds the same cluster.
 */
public final class Cluster {

  private static final long STOP_SECONDS = 30;

  private final ClusterHome home;
  private final ClusterSpec clusterSpec;
  private final ClusterServers clusterServers;

  private Cluster(ClusterHome home, ClusterSpec clusterSpec) {
    this.home = home;
    this.clusterSpec = clusterSpec;
    this.clusterServers = new ClusterServers(home, clusterSpec);
  }

  /**
   * Present state of one of the servers.
   *
   * @param pid process id; 0 if the server does not run, or its host cannot be reached
   * @param listens true if the server's port takes connections
   * @param unreachable why the server's host cannot be reached; empty if it can
   * @param drained true if the server is the supervisor of a drained host, and so does not run
   */
  public record ServerState(
      String role,
      String host,
      String address,
      long pid,
      boolean listens,
      String unreachable,
      boolean drained) {

    /** Returns true if the server is as it should be. */
    public boolean isWell() {
      return drained || pid > 0 && listens;
    }
  }

  /**
   * Returns the cluster that is in a folder.
   *
   * @throws ClusterException if there is none
   */
  public static Cluster at(ClusterHome home) {
    return new Cluster(home, home.plan());
  }

  /**
   * Makes a cluster and starts it; if that fails, nothing is left of it.
   *
   * @param progress receives a sentence for each step
   * @param unwanted true once the caller waits no longer
   * @throws ClusterException if there is a cluster already, if a server does not start (the message
   *     has the end of its output), or if the cluster is unwanted
   */
  static Cluster up(
      ClusterHome home,
      ClusterSpec clusterSpec,
      Consumer<String> progress,
      BooleanSupplier unwanted) {
    if (home.exists()) {
      throw new ClusterException(
          "there is a cluster in "
              + home.folder()
              + " already; 'cartostream cluster down' ends it");
    }
    Host broker = clusterSpec.hostOf(HostRole.BROKER);
    if (broker.run("test -x %s || echo no\n".formatted(RabbitMqNode.SERVER)).startsWith("no")) {
      throw new ClusterException(
          broker.name()
              + " is to be the broker's host, but has no RabbitMQ: apt-get install "
              + RabbitMqNode.PACKAGE);
    }
    home.claim();
    Cluster cluster = new Cluster(home, clusterSpec);
    try {
      cluster.writeFiles();
      cluster.start(progress, new StartupWait(unwanted));
      return cluster;
    } catch (RuntimeException e) {
      throw cluster.rolledBack(e);
    } catch (IOException e) {
      throw cluster.rolledBack(
          new ClusterException("the cluster's files cannot be written: " + e.getMessage(), e));
    }
  }

  /**
   * Removes an unfinished cluster; returns the exception to throw, which says first why there is
   * none.
   */
  private RuntimeException rolledBack(RuntimeException why) {
    try {
      down();
      return why;
    } catch (ClusterException left) {
      return new ClusterException(why.getMessage() + "\nBesides, " + left.getMessage(), why);
    }
  }

  /**
   * Starts a cluster on this machine, on 127.0.0.1 and ports that are free now.
   *
   * @param slots maximum number of workers
   * @param progress receives a sentence for each step
   * @param unwanted true once the caller waits no longer; then nothing is left of the cluster
   */
  public static Cluster startHere(
      ClusterHome home,
      ClusterOptions clusterOptions,
      int slots,
      Consumer<String> progress,
      BooleanSupplier unwanted) {
    ClusterSpec clusterSpec =
        ClusterSpec.onThisMachine(
            slots, clusterOptions.secure(), clusterOptions.workerHeapMegabytes());
    return up(home, clusterSpec, progress, unwanted);
  }

  /** Starts a cluster on the hosts of a file. */
  public static Cluster startOn(
      ClusterHome home,
      ClusterOptions clusterOptions,
      Path hosts,
      Consumer<String> progress,
      BooleanSupplier unwanted) {
    ClusterSpec clusterSpec =
        ClusterSpec.of(hosts, clusterOptions.secure(), clusterOptions.workerHeapMegabytes());
    if (!clusterOptions.secure() && !clusterOptions.open()) {
      clusterSpec.hosts().stream()
          .map(Host::address)
          .filter(address -> !address.startsWith("127."))
          .findFirst()
          .ifPresent(Cluster::refuseOpen);
    }
    Cluster cluster = up(home, clusterSpec, progress, unwanted);
    new SharedCheckpoints(clusterSpec).missing().ifPresent(progress);
    return cluster;
  }

  private static void refuseOpen(String address) {
    throw new ClusterException(
        "without TLS whoever reaches %s may submit code to the cluster, and read what robots send; --secure keeps others out, and --force makes it all the same"
            .formatted(address));
  }

  private void writeFiles() throws IOException {
    home.create(clusterSpec);
    String password = new PasswordFiles(home.secrets()).password(BrokerUsers.SERVICE);
    clusterServers.writeFiles(new BrokerUsers().withService(password));
    for (Host host : clusterSpec.hosts()) {
      if (!host.sharesFiles()) {
        new RemoteFiles(home, host).send();
      }
    }
  }

  private void start(Consumer<String> progress, StartupWait startupWait) {
    List<ServerProcess> serverProcesses = clusterServers.daemons();
    serverProcesses.stream()
        .filter(ServerProcess::isListening)
        .findFirst()
        .ifPresent(Cluster::refuseTaken);
    for (HostRole role : HostRole.values()) {
      List<ServerProcess> some =
          serverProcesses.stream().filter(each -> each.role() == role).toList();
      some.forEach(ServerProcess::start);
      for (ServerProcess serverProcess : some) {
        startupWait.await(serverProcess, serverProcess::isListening);
        progress.accept(
            serverProcess
                + " listens at "
                + serverProcess.host().address()
                + ":"
                + serverProcess.port());
      }
    }
    long wanted = serverProcesses.stream().filter(d -> d.role() == HostRole.SUPERVISOR).count();
    ServerProcess nimbus =
        serverProcesses.stream().filter(d -> d.role() == HostRole.NIMBUS).findFirst().orElseThrow();
    startupWait.await(nimbus, () -> hasAllSupervisors(wanted));
  }

  private static void refuseTaken(ServerProcess serverProcess) {
    throw new ClusterException(
        "somebody listens at %s:%d already, where this cluster's %s is to listen"
            .formatted(serverProcess.host().address(), serverProcess.port(), serverProcess.role()));
  }

  private boolean hasAllSupervisors(long supervisors) {
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
   *     and the cluster's folder stays here, so that {@code down} can be tried again
   */
  public void down() {
    List<ClusterException> failures = new ArrayList<>();
    for (Host host : clusterSpec.hosts()) {
      try {
        removeFrom(host);
      } catch (ClusterException e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      ClusterException all =
          new ClusterException(
              ("something may be left of the cluster on %d of %d hosts (%s); 'cartostream cluster"
                      + " down' tries again")
                  .formatted(
                      failures.size(),
                      clusterSpec.hosts().size(),
                      failures.stream()
                          .map(Throwable::getMessage)
                          .collect(Collectors.joining("; "))));
      failures.forEach(all::addSuppressed);
      throw all;
    }
    home.delete();
  }

  private void removeFrom(Host host) {
    ClusterProcesses clusterProcesses = new ClusterProcesses(home, host);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
    while (!clusterProcesses.kill().isEmpty()) {
      if (System.nanoTime() > end) {
        throw new ClusterException(
            "processes " + clusterProcesses.pids() + " on " + host.name() + " do not end");
      }
      StartupWait.pause();
    }
    host.run(InMemoryHeartbeatLauncher.deletion(StormConfiguration.local(home, host)));
    if (!host.sharesFiles()) {
      new RemoteFiles(home, host).delete();
    }
  }

  /**
   * Returns the hosts on which {@link #down} deletes checkpoints, and those that cannot be asked.
   */
  public List<String> hostsWithCheckpoints() {
    UnreachableHosts unreachableHosts = new UnreachableHosts();
    String some =
        "find %s -type f 2>/dev/null | head -n 1\n"
            .formatted(Host.quoted(home.checkpoints().toString()));
    return !clusterSpec.checkpoints().isEmpty()
        ? List.of()
        : clusterSpec.hosts().stream()
            .filter(host -> !unreachableHosts.ask(host, () -> host.run(some)).orElse("?").isBlank())
            .map(Host::name)
            .toList();
  }

  /** Returns the ids of all processes of the cluster, by host. */
  public Map<String, List<Long>> processes() {
    Map<String, List<Long>> all = new TreeMap<>();
    clusterSpec
        .hosts()
        .forEach(host -> all.put(host.name(), new ClusterProcesses(home, host).pids()));
    return all;
  }

  /** Returns the present states of the servers. */
  public List<ServerState> states() {
    UnreachableHosts unreachableHosts = new UnreachableHosts();
    return clusterServers.daemons().stream()
        .map(
            serverProcess ->
                new ServerState(
                    serverProcess.role().toString(),
                    serverProcess.host().name(),
                    serverProcess.host().address() + ":" + serverProcess.port(),
                    unreachableHosts.ask(serverProcess.host(), serverProcess::pid).orElse(0L),
                    serverProcess.isListening(),
                    unreachableHosts.reason(serverProcess.host()).orElse(""),
                    ServerRestart.isDrained(home, serverProcess)))
        .toList();
  }

  /** Checks the cluster part by part; takes some seconds. */
  public List<HealthResult> health() {
    return new ClusterHealth(this, clusterServers).findings();
  }

  /**
   * Starts servers that have died.
   *
   * @param drainedToo true if hosts that were drained must run workers again
   * @return the names of the servers that were started
   * @throws ClusterException if a server does not start, or if some hosts cannot be reached; in
   *     that case the servers of all others run
   */
  public List<String> restart(boolean drainedToo) {
    return new ServerRestart(clusterServers).restart(drainedToo);
  }

  /** Empties a host of workers, see {@link HostDrain#drain}; returns how many there were. */
  public int drain(String host) {
    return new HostDrain(this, clusterServers).drain(host);
  }

  /**
   * Returns the last lines that servers and workers have printed, for each file behind a line with
   * its path; at the end a line for each host that cannot be reached.
   *
   * @param part text that the path of a file below {@code logs/} contains
   * @param lines maximum number of lines of each file
   */
  public List<String> logs(String part, int lines) {
    return new ClusterLogs(home, clusterSpec).ends(part, lines);
  }

  /** Returns the cluster's folder. */
  public Path folder() {
    return home.folder();
  }

  /** Returns the cluster's Nimbus. */
  public Nimbus nimbus() {
    return new Nimbus(StormConfiguration.client(home, clusterSpec));
  }

  /** Returns the cluster's ZooKeeper. */
  public ZooKeeperAccess zookeeper() {
    String at = clusterSpec.addressOf(HostRole.ZOOKEEPER) + ":" + clusterSpec.ports().zookeeper();
    return clusterSpec.secure()
        ? ZooKeeperAccess.secured(at, new ClusterCertificates(home).zookeeperStores())
        : ZooKeeperAccess.plain(at);
  }

  /** Returns the number of hosts. */
  public int hosts() {
    return clusterSpec.hosts().size();
  }

  /** Returns the number of worker slots of all hosts. */
  public int slots() {
    return clusterSpec.slots();
  }

  /** Returns the access to the cluster's broker. */
  public ClusterAccess access() {
    return new ClusterAccess(home, clusterSpec);
  }
}
