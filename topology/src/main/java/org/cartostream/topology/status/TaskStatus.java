package org.cartostream.topology.status;

import java.util.List;
import org.cartostream.broker.message.WorkerMessage;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.HungTaskWatchdog;

/**
 * A task's part of its worker's heartbeat: for how long it has been handling one message, and of
 * which runs it has a state. The task's thread writes it, the {@link WorkerHeartbeat}'s reads.
 */
public final class TaskStatus {

  private final Class<? extends Component> component;
  private final int number;
  private final HungTaskWatchdog.Activity activity;
  private volatile List<Run> runs = List.of();

  /**
   * @param number among its component's tasks, from 0
   */
  public TaskStatus(
      Class<? extends Component> component, int number, HungTaskWatchdog.Activity activity) {
    this.component = component;
    this.number = number;
    this.activity = activity;
  }

  /** It has a state of these runs. */
  public void holds(List<Run> held) {
    runs = List.copyOf(held);
  }

  WorkerMessage.Task now() {
    List<Run> all = runs;
    boolean restores = Component.Restorable.class.isAssignableFrom(component);
    List<WorkerMessage.HeldRun> named =
        all.stream()
            .limit(WorkerMessage.MOST_RUNS)
            .map(
                run ->
                    new WorkerMessage.HeldRun(
                        run.robot(), run.number(), restores ? run.epoch() : 0))
            .toList();
    return new WorkerMessage.Task(
        Component.nameOf(component),
        number,
        activity.busyNanos(),
        named,
        all.size() - named.size());
  }
}
