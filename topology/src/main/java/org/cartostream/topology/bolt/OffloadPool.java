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
 * A bounded pool of threads for long work, which in a task's own thread would hold up all of its
 * robots. A run has one piece of work there at a time, and one more for each earlier epoch whose
 * work goes on: so as many wait for a thread as there are runs, in the order in which they came.
 *
 * <p>It has several threads for each processor. With one, a robot's small work, such as its part of
 * a checkpoint, would wait behind others' that takes seconds; so the operating system shares the
 * processors among them. A thread that has had nothing to do for a minute ends.
 */
final class OffloadPool implements Executor {

  /** The threads of one task, four for each processor and no fewer than 16. */
  static final int MAX_THREADS = Math.max(16, 4 * Runtime.getRuntime().availableProcessors());

  private static final int IDLE_SECONDS = 60;

  private final ThreadPoolExecutor threads;
  private final Supplier<HungTaskWatchdog.Activity> watched;
  private final Supplier<TaskStatus> status;

  /**
   * @param max threads
   * @param watched has the calling thread watched, as the task's is: it may hang, too
   * @param status of the task, which is there when it has work done
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

  /** Ends the threads; what waits is not done. */
  void end() {
    threads.shutdownNow();
  }
}
