package org.cartostream.topology.bolt;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cartostream.topology.status.TaskStatus;
import org.cartostream.topology.task.HungTaskWatchdog;

/**
 * A bounded pool of threads of one task for long work, which in the task's own thread would hold up
 * all of its robots. A run has one piece of work here at a time, and one more for each earlier
 * epoch whose work is not done. So the queue of waiting work, first in first out, has about as many
 * entries as there are runs.
 *
 * <p>The pool has several threads for each processor, so that a robot's small work, such as its
 * part of a checkpoint, need not wait behind other robots' work that takes seconds. A thread that
 * has been idle for a minute ends.
 */
final class OffloadPool implements Executor {

  /** Number of threads of one task: four for each processor, but at least 16. */
  static final int MAX_THREADS = Math.max(16, 4 * Runtime.getRuntime().availableProcessors());

  private static final int IDLE_SECONDS = 60;

  private final ThreadPoolExecutor threads;
  private final Supplier<HungTaskWatchdog.Activity> watched;
  private final Supplier<TaskStatus> status;

  /**
   * @param max number of threads
   * @param watched puts the calling thread under the watchdog for hung threads
   * @param status status of the task, which exists by the time of the first work
   */
  OffloadPool(int max, Supplier<HungTaskWatchdog.Activity> watched, Supplier<TaskStatus> status) {
    this.watched = watched;
    this.status = status;
    threads =
        new ThreadPoolExecutor(
            max,
            max,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory("offload", true));
    threads.allowCoreThreadTimeOut(true);
  }

  @Override
  public void execute(Runnable work) {
    threads.execute(() -> runWatched(work));
  }

  private void runWatched(Runnable work) {
    HungTaskWatchdog.Activity activity = watched.get();
    activity.turn();
    status.get().begins(activity);
    try {
      work.run();
    } finally {
      status.get().ends(activity);
      HungTaskWatchdog.ofProcess().forget(activity);
    }
  }

  /** Stops the threads; waiting work is dropped. */
  void end() {
    threads.shutdownNow();
  }
}
