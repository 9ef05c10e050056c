package org.cartostream.broker.message;

import java.util.List;

/**
 * Heartbeat of one of a service's processes, with its tasks, for observers: sent twice a second, so
 * that they notice when a process is late. The envelope has the first 64 characters of the
 * service's name in the place of a robot.
 *
 * @param service whole name of the service
 * @param host host on which the process runs
 * @param process process id on the host
 * @param startedAt start of the process, milliseconds since 1970-01-01 UTC by the host's clock
 * @param tasks tasks of the process; none in the last heartbeat, when it has ended its tasks
 */
public record WorkerMessage(
    String service, String host, long process, long startedAt, List<Task> tasks)
    implements Message {

  /** Maximum number of a task's runs that are named. */
  public static final int MAX_RUNS = 64;

  /**
   * Task of a process.
   *
   * @param component Storm's name of the task's component: {@code Matchers}
   * @param number number among the component's tasks, from 0
   * @param busyNanos how long the task has been handling its present message, nanoseconds; 0 if it
   *     waits
   * @param runs runs of which the task has a state, {@link #MAX_RUNS} at most
   * @param moreRuns number of further such runs
   */
  public record Task(
      String component, int number, long busyNanos, List<HeldRun> runs, int moreRuns) {

    public Task {
      runs = List.copyOf(runs);
    }
  }

  /**
   * Run of which a task has a state.
   *
   * @param number number that the gateway gave the run
   * @param epoch recovery epoch, which grows with each restore of the run; 0 if the task restores
   *     nothing
   */
  public record HeldRun(String robot, long number, long epoch) {}

  public WorkerMessage {
    tasks = List.copyOf(tasks);
  }
}
