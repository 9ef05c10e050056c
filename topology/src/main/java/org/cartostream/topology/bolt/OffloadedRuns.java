package org.cartostream.topology.bolt;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.cartostream.topology.run.Run;

/**
 * The runs of one task whose state another thread is using at the moment. Messages for these runs
 * wait here, in order, because the state must not change meanwhile. All other runs go on.
 *
 * <p>Owns the waiting messages. Their number is bounded by the messages of a run that can be on
 * their way: two readings in the filter, and refusals and repetitions within the robot's credit.
 * Not thread-safe; used by the task's thread only.
 */
final class OffloadedRuns {

  private final Map<Run, Deque<Runnable>> waiting = new HashMap<>();

  /** Work of the other threads, by run. */
  private final Map<Run, Future<?>> works = new HashMap<>();

  /**
   * Notes that another thread uses a run's state from now on.
   *
   * @param work the other thread's work
   * @param then runs first when the work is done, before messages that have waited
   */
  void begin(Run run, Future<?> work, Runnable then) {
    if (waiting.containsKey(run)) {
      throw new IllegalStateException("the state of " + run + " is in use by another thread");
    }
    Deque<Runnable> first = new ArrayDeque<>();
    first.add(then);
    waiting.put(run, first);
    works.put(run, work);
  }

  /** Returns true if another thread uses the run's state. */
  boolean has(Run run) {
    return waiting.containsKey(run);
  }

  /**
   * Lets the handling of a message wait if another thread uses the run's state; returns false if
   * none does.
   */
  boolean hold(Run run, Runnable something) {
    Deque<Runnable> ofRun = waiting.get(run);
    return ofRun != null && ofRun.add(something);
  }

  /** Returns the runs whose work is done although {@link #end} was not called. */
  List<Run> done() {
    return works.entrySet().stream()
        .filter(e -> e.getValue().isDone())
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Ends the other thread's use of a run's state: handles the messages that have waited, until one
   * of them gives the state to another thread again; the rest then waits for that.
   */
  void end(Run run) {
    Future<?> work = works.get(run);
    if (work == null || !work.isDone()) {
      return; // A second call; the state may be in use again.
    }
    works.remove(run);
    Deque<Runnable> rest = waiting.remove(run);
    while (rest != null && !rest.isEmpty()) {
      rest.remove().run();
      Deque<Runnable> again = waiting.get(run);
      if (again != null) {
        again.addAll(rest);
        return;
      }
    }
  }

  /** Forgets a run that is over, with the messages that wait. */
  void forget(Run run) {
    works.remove(run);
    waiting.remove(run);
  }
}
