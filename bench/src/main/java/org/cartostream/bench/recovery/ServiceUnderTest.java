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
 * A service on a cluster that stays from run to run, while its processes and the cluster's are
 * killed. Knows which process is what. The processes must be this machine's.
 */
final class ServiceUnderTest implements AutoCloseable {

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
   * Starts a service; returns when its workers are there.
   *
   * @param name by which Nimbus knows it
   * @param checkpoints folder of its checkpoints
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

  /** Has a log on its way through it. */
  public ReplayedRun replay(RecoveryInput input, Path folder) throws IOException {
    return ReplayedRun.begin(cluster, input, settings, folder);
  }

  /**
   * Returns when all of its workers are there.
   *
   * @throws ExitException if they do not come
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

  /** The components in each slot. */
  private TreeMap<String, TreeSet<String>> slots() throws NimbusException {
    TreeMap<String, TreeSet<String>> slots = new TreeMap<>();
    for (Nimbus.Task task : cluster.nimbus().tasks(name)) {
      slots.computeIfAbsent(task.slot(), slot -> new TreeSet<>()).add(task.component());
    }
    return slots;
  }

  /** The name of the host on which a worker with such tasks is. */
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

  /** Another process writes the worker's log; its command line has the worker's as its end. */
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
   * Finds its processes on the cluster, none of which is the gateway.
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
   * Kills something (kill -9) in the middle of a run, and starts again what the cluster does not by
   * itself.
   *
   * @param run whose gateway may be meant
   * @return when it was killed, milliseconds since 1970
   */
  public long kill(FaultTarget target, ReplayedRun run)
      throws NimbusException, IOException, InterruptedException {
    return kill(target, find(target), run);
  }

  /** Returns a copy with its processes found before. */
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

  /** True if a run is being restored, or was, after a moment, in milliseconds since 1970. */
  public boolean isRestored(long since) {
    return RecoveryTimes.find(log(), since).isPresent();
  }

  /** The end of what its workers have logged. */
  public List<String> log() {
    return cluster.logs(name + "-", LOG_LINES);
  }

  @Override
  public void close() {
    deployment.stop();
  }
}
