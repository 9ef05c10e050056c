package org.cartostream.topology.task;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Waker of tasks of this process that wait for tuples in their queues.
 *
 * <p>A Storm executor without work polls its queue: by default it parks for a nanosecond a thousand
 * times, which takes computing time from the tasks that hold particles, and then sleeps for a
 * millisecond at a time ({@code topology.bolt.wait.progressive}), which delays messages.
 * Cartostream's executors park ({@link org.apache.storm.policy.WaitStrategyPark}) for longer, and
 * are woken by each message from the same process. A message from another process wakes no task; it
 * is found when the park ends. Each poll of an empty queue costs some 10 microseconds, so parks are
 * long if all tasks are in one process.
 *
 * <p>Owns the threads of the tasks that can be woken, by Storm's number of the task.
 */
public final class TaskWaker {

  /** Time after which a task polls for messages from other processes, microseconds. */
  private static final int PARK_MICROS = 500;

  /**
   * Time after which a task polls if all tasks are in one process, microseconds: then only Storm's
   * ticks do not wake it.
   */
  public static final int LONG_PARK_MICROS = 20_000;

  private static final Map<String, TaskWaker> BY_TOPOLOGY = new ConcurrentHashMap<>();

  private final Map<Integer, Thread> threads = new ConcurrentHashMap<>();

  private TaskWaker() {}

  /**
   * Returns the time after which a task polls for messages that did not wake it, microseconds.
   *
   * @param workers number of the topology's processes
   */
  public static int parkMicros(int workers) {
    return workers == 1 ? LONG_PARK_MICROS : PARK_MICROS;
  }

  /** Returns the waker of a topology in this process, by Storm's id of the topology. */
  public static TaskWaker of(String topology) {
    return BY_TOPOLOGY.computeIfAbsent(topology, name -> new TaskWaker());
  }

  /** Registers the calling thread as that of a task, by Storm's number of the task. */
  public void register(int task) {
    threads.put(task, Thread.currentThread());
  }

  /** Wakes those tasks that are in this process; a task that is not parked skips its next park. */
  public void wake(List<Integer> tasks) {
    tasks.forEach(this::wake);
  }

  /** Wakes a task if it is in this process; if it is not parked, it skips its next park. */
  public void wake(int task) {
    Thread thread = threads.get(task);
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /** Removes a task that has ended. */
  public static void unregister(String topology, int task) {
    BY_TOPOLOGY.computeIfPresent(
        topology,
        (name, waker) -> {
          waker.threads.remove(task);
          return waker.threads.isEmpty() ? null : waker;
        });
  }
}
