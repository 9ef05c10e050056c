package org.cartostream.topology.task;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Waker of tasks of this process that wait for something in their queues.
 *
 * <p>A Storm executor without work polls its queue: by default it parks for a nanosecond a thousand
 * times, which takes computing time from the tasks that hold particles, and then sleeps for a
 * millisecond at a time ({@code topology.bolt.wait.progressive}), by which each message comes late.
 * Cartostream's executors park ({@link org.apache.storm.policy.WaitStrategyPark}) for longer, and
 * are woken. A message from another process wakes nobody; it is found when the park ends. Each look
 * at an empty queue costs some 10 microseconds, so where every message wakes its reader, a park is
 * long.
 *
 * <p>Owns the threads of the tasks that can be woken, by Storm's number of the task.
 */
public final class TaskWaker {

  /** Microseconds after which a task looks for messages from another process. */
  private static final int PARK_MICROS = 500;

  /** Longest sleep where all messages wake the task but those of Storm's clock, microseconds. */
  public static final int LONG_PARK_MICROS = 20_000;

  private static final Map<String, TaskWaker> BY_TOPOLOGY = new ConcurrentHashMap<>();

  private final Map<Integer, Thread> threads = new ConcurrentHashMap<>();

  private TaskWaker() {}

  /**
   * Microseconds after which a task of a topology looks for messages that came without waking it.
   */
  public static int parkMicros(int workers) {
    return workers == 1 ? LONG_PARK_MICROS : PARK_MICROS;
  }

  /** Returns the waker of a topology in this process, by Storm's name for it. */
  public static TaskWaker of(String topology) {
    return BY_TOPOLOGY.computeIfAbsent(topology, name -> new TaskWaker());
  }

  /** The calling thread is the task's. */
  public void register(int task) {
    threads.put(task, Thread.currentThread());
  }

  /** Wakes those of {@code tasks} that live here, now or when they are about to park. */
  public void wake(List<Integer> tasks) {
    tasks.forEach(this::wake);
  }

  /** Wakes one task likewise. */
  public void wake(int task) {
    Thread thread = threads.get(task);
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /** The task of the topology is gone. */
  public static void unregister(String topology, int task) {
    BY_TOPOLOGY.computeIfPresent(
        topology,
        (name, waker) -> {
          waker.threads.remove(task);
          return waker.threads.isEmpty() ? null : waker;
        });
  }
}
