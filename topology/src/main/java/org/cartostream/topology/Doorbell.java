package org.cartostream.topology;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Wakes tasks of this process when something was put into their queues.
 *
 * <p>A Storm executor without work polls its queue: by default it parks for a nanosecond a thousand
 * times, which takes computing time from the tasks that hold particles, and then sleeps for a
 * millisecond at a time ({@code topology.bolt.wait.progressive}), by which each word comes late.
 * Ours park ({@link org.apache.storm.policy.WaitStrategyPark}) for longer, and are woken. A word
 * from another process rings no bell; it is found when the park ends. Each look at an empty queue
 * costs some 10 microseconds, so where every word rings, a park is long.
 *
 * <p>Owns the threads of the tasks that can be woken, by Storm's number of the task.
 */
final class Doorbell {

  /** Microseconds after which a task looks for words from another process. */
  private static final int PARK_MICROS = 500;

  /** The same where all words ring but Storm's own, which are in no hurry: its clock's. */
  static final int LONG_PARK_MICROS = 20_000;

  private static final Map<String, Doorbell> HOUSES = new ConcurrentHashMap<>();

  private final Map<Integer, Thread> threads = new ConcurrentHashMap<>();

  private Doorbell() {}

  /** Microseconds after which a task of a topology looks for words that came without a ring. */
  static int parkMicros(int workers) {
    return workers == 1 ? LONG_PARK_MICROS : PARK_MICROS;
  }

  /** That of a topology in this process, by Storm's name for it. */
  static Doorbell of(String topology) {
    return HOUSES.computeIfAbsent(topology, name -> new Doorbell());
  }

  /** The calling thread is the task's. */
  void answer(int task) {
    threads.put(task, Thread.currentThread());
  }

  /** Wakes those of {@code tasks} that live here, now or when they are about to park. */
  void ring(List<Integer> tasks) {
    tasks.forEach(this::ring);
  }

  /** Wakes one task likewise. */
  void ring(int task) {
    Thread thread = threads.get(task);
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /** The task of the topology is gone. */
  static void leave(String topology, int task) {
    HOUSES.computeIfPresent(
        topology,
        (name, house) -> {
          house.threads.remove(task);
          return house.threads.isEmpty() ? null : house;
        });
  }
}
