package org.cartostream.topology.status;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.WorkerMessage;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.HungTaskWatchdog;

/**
 * A task's part of its worker's heartbeat: the time for which it, or another thread for it, has
 * been handling one message, and the runs whose state it has. The task's threads write it, the
 * {@link WorkerHeartbeat}'s reads.
 */
public final class TaskStatus {

  /** Time from which on other threads' work for a task counts, nanoseconds, for it may hang. */
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Class<? extends Component> component;
  private final int number;
  private final HungTaskWatchdog.Activity activity;
  private final long longNanos;

  /** Activities of other threads that work for the task now. */
  private final Set<HungTaskWatchdog.Activity> others = ConcurrentHashMap.newKeySet();

  private volatile List<Run> runs = List.of();

  /**
   * @param number among its component's tasks, from 0
   */
  public TaskStatus(
      Class<? extends Component> component, int number, HungTaskWatchdog.Activity activity) {
    this(component, number, activity, LONG_NANOS);
  }

  /**
   * @param longNanos what other threads do for the task counts after so long
   */
  TaskStatus(
      Class<? extends Component> component,
      int number,
      HungTaskWatchdog.Activity activity,
      long longNanos) {
    this.component = component;
    this.number = number;
    this.activity = activity;
    this.longNanos = longNanos;
  }

  /** Another thread begins to do something for the task. */
  public void begins(HungTaskWatchdog.Activity other) {
    others.add(other);
  }

  /** Ends an activity of another thread. */
  public void ends(HungTaskWatchdog.Activity other) {
    others.remove(other);
  }

  private long busyNanos() {
    long longest =
        others.stream()
            .mapToLong(HungTaskWatchdog.Activity::busyNanos)
            .filter(nanos -> nanos > longNanos)
            .max()
            .orElse(0);
    return Math.max(activity.busyNanos(), longest);
  }

  /** Notes the runs of which the task has a state. */
  public void holds(List<Run> held) {
    runs = List.copyOf(held);
  }

  WorkerMessage.Task now() {
    List<Run> all = runs;
    boolean restores = Component.Restorable.class.isAssignableFrom(component);
    List<WorkerMessage.HeldRun> named =
        all.stream()
            .limit(WorkerMessage.MAX_RUNS)
            .map(
                run ->
                    new WorkerMessage.HeldRun(
                        run.robot(), run.number(), restores ? run.epoch() : 0))
            .toList();
    return new WorkerMessage.Task(
        Component.nameOf(component), number, busyNanos(), named, all.size() - named.size());
  }
}
