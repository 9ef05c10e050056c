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
 * A task's part of its worker's heartbeat: the time for which the task, or another thread on its
 * behalf, has been handling one message, and the runs whose state the task has. The task's threads
 * write the status, the {@link WorkerHeartbeat}'s thread reads it.
 */
public final class TaskStatus {

  /**
   * Duration from which other threads' work for a task is reported, as it may hang, nanoseconds.
   */
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Class<? extends Component> component;
  private final int number;
  private final HungTaskWatchdog.Activity activity;
  private final long longNanos;

  /** Activities of other threads that work for the task now. */
  private final Set<HungTaskWatchdog.Activity> others = ConcurrentHashMap.newKeySet();

  private volatile List<Run> runs = List.of();

  /**
   * @param number index of the task among its component's tasks, from 0
   * @param activity activity of the task's own thread
   */
  public TaskStatus(
      Class<? extends Component> component, int number, HungTaskWatchdog.Activity activity) {
    this(component, number, activity, LONG_NANOS);
  }

  /**
   * @param longNanos duration from which other threads' work for the task is reported, nanoseconds
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

  /** Notes that another thread begins work for the task. */
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
