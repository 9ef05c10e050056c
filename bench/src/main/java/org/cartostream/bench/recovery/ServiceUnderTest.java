package org.cartostream.bench.recovery;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.run.deployment.ClusterDeployment;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;

/**
 * Service on a cluster that serves one run after another, while its processes and the cluster's are
 * killed. It finds the processes of each {@link FaultTarget}, which must be this machine's.
 */
public final class ServiceUnderTest implements AutoCloseable {

  private static final long READY_SECONDS = 180;
  private static final long POLL_MILLIS = 100;
  private static final int LOG_LINES = 3000;

  private final Cluster cluster;
  private final String name;
  private final RootSettings settings;
  private final ClusterDeployment deployment;

  private ServiceUnderTest(Cluster cluster, String name, RootSettings settings) {
    this.cluster = cluster;
    this.name = name;
    this.settings = settings;
    this.deployment = new ClusterDeployment(cluster, settings.broker(), name, false);
  }

  /**
   * Starts a service; returns when its workers run.
   *
   * @param name name of the service's topology
   * @param checkpoints folder of the service's checkpoints
   */
  public static ServiceUnderTest start(
      Cluster cluster, String name, RootSettings settings, Path checkpoints)
      throws InterruptedException {
    RootSettings named =
        Settings.with(settings, Map.of("broker.service", name)).withCheckpointsIn(checkpoints);
    ServiceUnderTest service = new ServiceUnderTest(cluster, name, named);
    service.deployment.start(named);
    service.awaitWorkers();
    return service;
  }

  /** Begins to replay a log through the service. */
  public ReplayedRun replay(RecoveryInput input, Path folder) throws IOException {
    return ReplayedRun.begin(cluster, input, settings, folder);
  }

  /**
   * Returns when all workers of the service run.
   *
   * @throws ExitException if they do not start in time
   */
  public void awaitWorkers() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
    while (!hasAllWorkers()) {
      if (System.nanoTime() - end > 0) {
        throw ExitException.failed(
            "the workers of %s are not there after %d s".formatted(name, READY_SECONDS));
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  private boolean hasAllWorkers() {
    try {
      TreeMap<String, TreeSet<String>> slots = slots();
      return slots.size() == settings.topology().workers()
          && slots.keySet().stream().noneMatch(slot -> workers(slot).isEmpty());
    } catch (NimbusException notNow) {
      return false;
    }
  }

  /** Returns the components in each slot. */
  private TreeMap<String, TreeSet<String>> slots() throws NimbusException {
    TreeMap<String, TreeSet<String>> slots = new TreeMap<>();
    for (Nimbus.Task task : cluster.nimbus().tasks(name)) {
      slots.computeIfAbsent(task.slot(), slot -> new TreeSet<>()).add(task.component());
    }
    return slots;
  }

  /** Returns the name of the host on which such a worker runs. */
  public String hostOf(FaultTarget target) throws NimbusException {
    return host(slotOf(target));
  }

  private String host(String slot) {
    String address = slot.substring(0, slot.indexOf(':'));
    return cluster.states().stream()
        .filter(server -> server.address().startsWith(address + ":"))
        .findFirst()
        .orElseThrow()
        .host();
  }

  private String slotOf(FaultTarget target) throws NimbusException {
    TreeMap<String, TreeSet<String>> slots = slots();
    return slots.entrySet().stream()
        .filter(slot -> target.isIn(slot.getValue()))
        .min(Comparator.comparingInt(slot -> slot.getValue().size()))
        .map(Map.Entry::getKey)
        .orElseThrow(
            () ->
                ExitException.failed("no worker of %s is '%s': %s".formatted(name, target, slots)));
  }

  /**
   * Returns the worker's processes. Another process, which writes the worker's log, has the
   * worker's command line as the end of its own.
   */
  private List<ProcessHandle> workers(String slot) {
    String port = "-Dworker.port=" + slot.substring(slot.indexOf(':') + 1) + " ";
    return handles(cluster.processes().get(host(slot)).stream())
        .filter(
            process -> {
              String line = process.info().commandLine().orElse("");
              return line.contains(port) && !line.contains("LogWriter");
            })
        .toList();
  }

  private static Stream<ProcessHandle> handles(Stream<Long> pids) {
    return pids.flatMap(pid -> ProcessHandle.of(pid).stream());
  }

  /**
   * Finds the processes of a target on the cluster; a gateway is none of these.
   *
   * @throws NimbusException if Nimbus does not say where they are
   */
  public List<ProcessHandle> find(FaultTarget target) throws NimbusException {
    List<ProcessHandle> found = new ArrayList<>();
    if (target == FaultTarget.EVERYTHING) {
      cluster.processes().values().forEach(pids -> handles(pids.stream()).forEach(found::add));
    } else if (target == FaultTarget.WORKERS) {
      slots().keySet().forEach(slot -> found.addAll(workers(slot)));
    } else if (target.isWorker()) {
      found.addAll(workers(slotOf(target)));
    } else if (target.role().isPresent()) {
      String role = target.role().get().toString();
      handles(
              cluster.states().stream()
                  .filter(server -> server.role().equals(role))
                  .map(Cluster.ServerState::pid))
          .forEach(
              server -> Stream.concat(server.descendants(), Stream.of(server)).forEach(found::add));
    }
    return found;
  }

  /**
   * Kills a target (kill -9) in the middle of a run, and starts again what the cluster does not
   * start by itself.
   *
   * @param run run whose gateway may be killed
   * @return time of the kill, milliseconds since 1970-01-01 UTC
   */
  public long kill(FaultTarget target, ReplayedRun run)
      throws NimbusException, IOException, InterruptedException {
    return kill(target, find(target), run);
  }

  /**
   * Kills a target as {@link #kill(FaultTarget, ReplayedRun)} does, whose processes were found
   * before.
   */
  public long kill(FaultTarget target, List<ProcessHandle> processes, ReplayedRun run)
      throws IOException, InterruptedException {
    long now = System.currentTimeMillis();
    processes.forEach(ProcessHandle::destroyForcibly);
    if (target.includesGateway()) {
      run.kill();
    }
    for (ProcessHandle process : processes) {
      process.onExit().join();
    }
    if (target == FaultTarget.EVERYTHING || target.role().isPresent()) {
      cluster.restart(false);
    }
    if (target.includesGateway()) {
      run.resume();
    }
    return now;
  }

  /**
   * Returns true if a run was restored after a moment, or begins to be; milliseconds since
   * 1970-01-01 UTC.
   */
  public boolean isRestored(long since) {
    return RecoveryTimes.find(log(), since).isPresent();
  }

  /** Returns the last lines of the workers' logs. */
  public List<String> log() {
    return cluster.logs(name + "-", LOG_LINES);
  }

  @Override
  public void close() {
    deployment.stop();
  }
}
