package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * Work of one kind that the tasks of a {@link Network} leave to other threads: each task's is done
 * one piece after another, and is gone with the task.
 */
final class OtherThreads {

  private final Map<Links.Address, Queue<Runnable>> queues = new LinkedHashMap<>();
  private boolean isHeld;
  private int refused;
  private Predicate<Links.Address> whose;

  /** Those of a task that begins. */
  Executor of(Links.Address task) {
    Queue<Runnable> queue = new ArrayDeque<>();
    queues.put(task, queue);
    return work -> {
      if (refused > 0 && whose.test(task)) {
        refused--;
        throw new OutOfMemoryError("unable to create native thread");
      }
      queue.add(work);
    };
  }

  void forget(Links.Address task) {
    queues.remove(task);
  }

  /** They take for ever, or go on. */
  void hold(boolean held) {
    isHeld = held;
  }

  /** The next so many pieces of work of these tasks find no thread. */
  void refuse(int count, Predicate<Links.Address> tasks) {
    refused = count;
    whose = tasks;
  }

  /** What tasks have left to them so far is done. */
  void finish() {
    for (Queue<Runnable> each : queues.values()) {
      while (!each.isEmpty()) {
        each.remove().run();
      }
    }
  }

  /** How many pieces of work are not done. */
  int waiting() {
    return queues.values().stream().mapToInt(Queue::size).sum();
  }

  /** Does the next piece of one task's work, for each task that has any. */
  List<Runnable> next() {
    return queues.values().stream()
        .filter(queue -> !isHeld && !queue.isEmpty())
        .<Runnable>map(queue -> () -> queue.remove().run())
        .toList();
  }
}
