package org.cartostream.topology.task;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watchdog for tasks of this process that hang, which means that they have been handling one
 * message for {@code topology.hungSeconds} while the process was awake. A process that is stopped
 * (SIGSTOP, a frozen machine) does not count as hung.
 *
 * <p>A single hung task cannot be ended, so the whole worker is ended, with the task's stack in its
 * log; Storm restarts the worker, and its runs are restored as after any crash. If the process is
 * not the worker's alone, as in a replay on one machine, the stack is only logged; the dispatcher
 * then gives the run up when its task does not come back.
 *
 * <p>Owns a thread that checks all tasks four times a second, as long as there are tasks.
 * Thread-safe.
 */
public final class HungTaskWatchdog {

  private static final Logger LOG = LoggerFactory.getLogger(HungTaskWatchdog.class);
  private static final int EXIT_CODE = 70; // EX_SOFTWARE of sysexits.h.

  /**
   * Period of the checks, milliseconds. A hung task is found with a delay of one to two periods.
   */
  private static final int LOOK_MILLIS = 250;

  private static final HungTaskWatchdog OF_PROCESS = new HungTaskWatchdog(System::nanoTime);

  /**
   * Record of whether a task's thread is handling a message. That thread writes, the watchdog
   * reads.
   */
  public static final class Activity {

    private final String task;
    private final Thread thread;
    private final long maxNanos;
    private final Runnable end;
    private final LongSupplier nanoTime;

    /**
     * Time at which {@code count} was changed. It is written first, so that it is never older than
     * the count.
     */
    private volatile long turnedAt;

    /**
     * Number of calls of {@link #turn}: odd while a message is handled. Only the task's thread
     * writes it.
     */
    private volatile long count;

    // Used by the watchdog's thread only.
    private long seen;
    private long hungSince;
    private boolean reported;

    private Activity(String task, long maxNanos, Runnable end, LongSupplier nanoTime) {
      this.task = task;
      this.thread = Thread.currentThread();
      this.maxNanos = maxNanos;
      this.end = end;
      this.nanoTime = nanoTime;
    }

    /** Notes that the task begins to handle a message, or is done with it. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // Only one thread writes.
    public void turn() {
      turnedAt = nanoTime.getAsLong();
      count++;
    }

    /**
     * Returns the time for which the task has been handling its current message, nanoseconds; 0 if
     * it waits for a message.
     */
    public long busyNanos() {
      boolean isBusy = count % 2 != 0;
      return isBusy ? Math.max(0, nanoTime.getAsLong() - turnedAt) : 0;
    }
  }

  private final LongSupplier nanoTime;
  private final PauseTolerantClock clock;
  private final Map<Activity, Boolean> activities = new ConcurrentHashMap<>();
  private Thread thread;

  HungTaskWatchdog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    clock = new PauseTolerantClock(nanoTime);
  }

  /** Returns the watchdog of this process. */
  public static HungTaskWatchdog ofProcess() {
    return OF_PROCESS;
  }

  /**
   * Watches a task of the calling thread.
   *
   * @param task name of the task, for people
   * @param hungSeconds time with one message after which the task counts as hung, seconds
   * @param isOwnProcess true if the process belongs to the worker alone, and may be ended
   */
  public Activity watch(String task, int hungSeconds, boolean isOwnProcess) {
    Runnable end = isOwnProcess ? () -> Runtime.getRuntime().halt(EXIT_CODE) : () -> {};
    Activity activity = watch(task, TimeUnit.SECONDS.toNanos(hungSeconds), end);
    start();
    return activity;
  }

  /**
   * Watches a task without starting the thread that checks.
   *
   * @param maxNanos time with one message after which the task counts as hung, nanoseconds
   * @param end runs when the task hangs; ends the process, if it may be ended
   */
  Activity watch(String task, long maxNanos, Runnable end) {
    Activity activity = new Activity(task, maxNanos, end, nanoTime);
    activities.put(activity, true);
    return activity;
  }

  /** Ends the watch on a task. */
  public void forget(Activity activity) {
    activities.remove(activity);
  }

  private synchronized void start() {
    if (thread == null) {
      thread = new Thread(this::lookAgainAndAgain, "hung-task-watchdog");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void lookAgainAndAgain() {
    while (goesOn()) {
      look();
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private synchronized boolean goesOn() {
    if (activities.isEmpty()) {
      thread = null;
      return false;
    }
    return true;
  }

  /** Checks all tasks. */
  void look() {
    clock.tick();
    activities.keySet().forEach(each -> look(each, clock.nanos()));
  }

  private void look(Activity activity, long now) {
    long count = activity.count;
    if (count != activity.seen || count % 2 == 0) {
      activity.seen = count;
      activity.hungSince = now;
      activity.reported = false;
    } else if (!activity.reported && now - activity.hungSince >= activity.maxNanos) {
      activity.reported = true;
      LOG.error(
          "a task of {} hangs: it has handled one message for {} s (topology.hungSeconds)\n{}",
          activity.task,
          TimeUnit.NANOSECONDS.toSeconds(now - activity.hungSince),
          Arrays.stream(activity.thread.getStackTrace())
              .map(frame -> "\tat " + frame)
              .collect(Collectors.joining("\n")));
      activity.end.run();
    }
  }
}
