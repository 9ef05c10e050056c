package org.cartostream.broker.message;

import java.util.List;

/**
 * A sign of life of one of a service's processes, with its tasks; for observers, twice a second.
 * Whoever gets none from a process knows that it is late. The envelope names the service, its first
 * 64 letters, in the place of a robot.
 *
 * @param service its whole name
 * @param host on which the process runs
 * @param process its number there
 * @param startedAt when it was started, milliseconds since 1970-01-01 UTC by the host's clock
 * @param tasks none in its last one: it has ended its tasks, and says nothing more
 */
public record WorkerMessage(
    String service, String host, long process, long startedAt, List<Task> tasks)
    implements Message {

  /** Bound on the runs of a task that are named. */
  public static final int MAX_RUNS = 64;

  /**
   * A task of the process.
   *
   * @param component what it is, by Storm's name: {@code Matchers}
   * @param number among its component's tasks, from 0
   * @param busyNanos for how long it has been handling the message that it handles; 0 if none
   * @param runs of which it has a state, {@link #MAX_RUNS} at most
   * @param moreRuns how many there are beside these
   */
  public record Task(
      String component, int number, long busyNanos, List<HeldRun> runs, int moreRuns) {

    public Task {
      runs = List.copyOf(runs);
    }
  }

  /**
   * A run of which a task has a state.
   *
   * @param number the gateway's
   * @param epoch greater for each restore of the run; 0 if the task restores nothing
   */
  public record HeldRun(String robot, long number, long epoch) {}

  public WorkerMessage {
    tasks = List.copyOf(tasks);
  }
}
