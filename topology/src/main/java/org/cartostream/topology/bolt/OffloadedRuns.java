package org.cartostream.topology.bolt;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.cartostream.topology.run.Run;

/**
 * The runs of one task whose state another thread is using at the moment. Messages for them wait
 * here in their order, because the state must not change meanwhile. All other runs go on.
 *
 * <p>Owns what waits. There is as much of it as is on its way of one run: two readings in the
 * filter, and refusals and repetitions by the robot's credit. Not thread-safe; the task's thread is
 * its owner.
 */
final class OffloadedRuns {

  private final Map<Run, Deque<Runnable>> waiting = new HashMap<>();

  /** Work of the other threads, by run. */
  private final Map<Run, Future<?>> works = new HashMap<>();

  /**
   * Another thread uses the run's state from now on.
   *
   * @param work what it does
   * @param then is done first when it has done so
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

  /** True if another thread uses the run's state. */
  boolean has(Run run) {
    return waiting.containsKey(run);
  }

  /** Has something wait if another thread uses the run's state; false if none does. */
  boolean hold(Run run, Runnable something) {
    Deque<Runnable> ofRun = waiting.get(run);
    return ofRun != null && ofRun.add(something);
  }

  /** Runs whose state no other thread uses any more, and that were not told so. */
  List<Run> done() {
    return works.entrySet().stream()
        .filter(e -> e.getValue().isDone())
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Ends another thread's work on a run's state: what has waited is done, until one of it has
   * another thread use the state again, for which the rest waits.
   */
  void end(Run run) {
    Future<?> work = works.get(run);
    if (work == null || !work.isDone()) {
      return; // It was told twice, and the state is in use again.
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

  /** The run is over: nobody waits for what has come for it. */
  void forget(Run run) {
    works.remove(run);
    waiting.remove(run);
  }
}
