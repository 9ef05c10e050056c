package org.cartostream.bench.soak;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Killer of the workers of a topology on this machine, in turn, as by {@code kill -9}. Storm starts
 * each of them again.
 *
 * <p>Owns the worker that is next, and the time of the next kill.
 */
final class WorkerKiller {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerKiller.class);

  /** Source of the topology's tasks with their hosts and ports. */
  public interface TaskList {
    List<Nimbus.Task> tasks() throws NimbusException;
  }

  private final String topologyId;
  private final TaskList taskList;
  private final long everyNanos;
  private long nextAt;
  private int turn;

  /**
   * @param topologyId Storm's own name for the topology, by which its processes are known
   * @param everySeconds time from one kill to the next
   * @param nanoTime present time, as of {@link System#nanoTime}
   */
  public WorkerKiller(String topologyId, TaskList taskList, int everySeconds, long nanoTime) {
    this.topologyId = topologyId;
    this.taskList = taskList;
    everyNanos = TimeUnit.SECONDS.toNanos(everySeconds);
    nextAt = nanoTime + everyNanos;
  }

  /**
   * Kills the next worker if it is time. If that worker cannot be found, because it is just being
   * started or Nimbus does not say where it is, it remains the next.
   *
   * @return slot and components of the worker that was killed; empty if none was
   */
  public Optional<String> killIfDue(long nanoTime) {
    if (nanoTime - nextAt < 0) {
      return Optional.empty();
    }
    TreeMap<String, TreeSet<String>> workers = workers();
    if (workers.isEmpty()) {
      return Optional.empty();
    }
    String slot = List.copyOf(workers.keySet()).get(turn % workers.size());
    Optional<ProcessHandle> worker = processAt(slot);
    if (worker.isEmpty()) {
      LOG.warn("no process of {} has slot {}", topologyId, slot);
      return Optional.empty();
    }
    worker.get().destroyForcibly();
    turn++;
    nextAt = nanoTime + everyNanos;
    return Optional.of(slot + ": " + String.join(", ", workers.get(slot)));
  }

  /** Returns the components in each slot. */
  private TreeMap<String, TreeSet<String>> workers() {
    TreeMap<String, TreeSet<String>> workers = new TreeMap<>();
    try {
      taskList
          .tasks()
          .forEach(
              task ->
                  workers
                      .computeIfAbsent(task.slot(), slot -> new TreeSet<>())
                      .add(task.component()));
    } catch (NimbusException e) {
      LOG.warn("no worker can be killed now: {}", e.getMessage());
    }
    return workers;
  }

  private Optional<ProcessHandle> processAt(String slot) {
    String port = slot.substring(slot.indexOf(':') + 1);
    return ProcessHandle.allProcesses()
        .filter(process -> isWorker(port, process.info().commandLine().orElse("")))
        .findFirst();
  }

  /**
   * Returns true if a command line is the worker's. Another process, which writes the worker's log,
   * has the worker's command line as the end of its own.
   */
  private boolean isWorker(String port, String line) {
    return line.contains("-Dstorm.id=" + topologyId + " ")
        && line.contains("-Dworker.port=" + port + " ")
        && !line.contains("LogWriter");
  }
}
