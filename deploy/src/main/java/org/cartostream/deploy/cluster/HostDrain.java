package org.cartostream.deploy.cluster;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.process.ClusterProcesses;
import org.cartostream.deploy.process.ServerProcess;
import org.cartostream.deploy.process.StartupWait;
import org.cartostream.deploy.server.ClusterServers;
import org.cartostream.deploy.spec.DrainedHosts;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;

/**
 * Operation that drains a host: ends its supervisor and its workers, and waits until Storm has
 * started the workers on other hosts. Their runs are restored there as after any death of a worker.
 * The host is marked as drained ({@link DrainedHosts}), and stays so until it is revived.
 */
record HostDrain(Cluster cluster, ClusterServers servers) {

  /**
   * Time in which workers must be elsewhere: Storm misses a worker after 30 s, and starts another
   * within as long.
   */
  private static final long MOVED_SECONDS = 180;

  /** Worker of a topology at a slot, {@code host:port}. */
  private record Worker(String topology, String slot) {

    boolean isOn(Host host) {
      return slot.startsWith(host.address() + ":");
    }
  }

  /**
   * Empties a host of workers.
   *
   * @return the number of workers that were there
   * @throws ClusterException if there is no such host, if the others have no room, or if it takes
   *     too long
   */
  int drain(String name) {
    Host host = host(name);
    ServerProcess supervisor = supervisor(host);
    try {
      Set<Worker> before = workers();
      Set<Worker> there =
          before.stream().filter(worker -> worker.isOn(host)).collect(Collectors.toSet());
      requireRoom(host, there, before.size() - there.size());
      servers.home().drained().add(host); // First, as servers may be revived meanwhile.
      long pid = supervisor.pid();
      if (pid != 0) {
        host.run("kill -9 " + pid + "\n");
      }
      new ClusterProcesses(servers.home(), host).killWorkers();
      awaitElsewhere(host, there.stream().map(Worker::topology).collect(Collectors.toSet()));
      return there.size();
    } catch (NimbusException e) {
      throw new ClusterException(e.getMessage(), e);
    }
  }

  private Host host(String name) {
    List<Host> hosts = servers.plan().hosts();
    return hosts.stream()
        .filter(host -> host.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ClusterException(
                    "there is no host '%s'; the cluster's are %s"
                        .formatted(
                            name,
                            hosts.stream().map(Host::name).collect(Collectors.joining(", ")))));
  }

  private ServerProcess supervisor(Host host) {
    return servers.daemons().stream()
        .filter(server -> server.role() == HostRole.SUPERVISOR && server.host().equals(host))
        .findFirst()
        .orElseThrow(() -> new ClusterException(host.name() + " runs no workers: it has no slots"));
  }

  private Set<Worker> workers() throws NimbusException {
    Nimbus nimbus = cluster.nimbus();
    Set<Worker> workers = new HashSet<>();
    for (Nimbus.Topology topology : nimbus.topologies()) {
      for (Nimbus.Task task : nimbus.tasks(topology.name())) {
        workers.add(new Worker(topology.name(), task.slot()));
      }
    }
    return workers;
  }

  private void requireRoom(Host host, Set<Worker> there, int elsewhere) {
    int slots = 0;
    for (ServerProcess server : servers.daemons()) {
      boolean isOther = server.role() == HostRole.SUPERVISOR && !server.host().equals(host);
      if (isOther && server.isListening()) {
        slots += server.host().slots();
      }
    }
    if (slots == 0) {
      throw new ClusterException(
          "no other host than %s runs workers: without it the cluster could run nothing"
              .formatted(host.name()));
    }
    int free = slots - elsewhere;
    if (free < there.size()) {
      throw new ClusterException(
          "%d workers run on %s (%s), and other hosts that run have %d free slots; end a topology, or give hosts more slots"
              .formatted(
                  there.size(),
                  host.name(),
                  there.stream().map(Worker::topology).distinct().collect(Collectors.joining(", ")),
                  Math.max(0, free)));
    }
  }

  private void awaitElsewhere(Host host, Set<String> moved) throws NimbusException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOVED_SECONDS);
    while (!isElsewhere(host, moved)) {
      if (System.nanoTime() > end) {
        throw new ClusterException(
            "%s has no workers any more, but they are not all on other hosts after %d s; 'cluster health' says more"
                .formatted(host.name(), MOVED_SECONDS));
      }
      StartupWait.pause();
    }
  }

  /**
   * Returns true if the moved topologies run elsewhere: an assigned worker runs when its spout
   * reads.
   */
  private boolean isElsewhere(Host host, Set<String> moved) throws NimbusException {
    Set<Worker> now = workers();
    Set<String> running = now.stream().map(Worker::topology).collect(Collectors.toSet());
    Set<String> wanted = new HashSet<>(moved); // Except those ended meanwhile.
    wanted.retainAll(cluster.nimbus().topologies().stream().map(Nimbus.Topology::name).toList());
    return running.containsAll(wanted)
        && now.stream().noneMatch(worker -> worker.isOn(host))
        && wanted.stream().allMatch(topology -> cluster.access().readersOf(topology).orElse(0) > 0);
  }
}
