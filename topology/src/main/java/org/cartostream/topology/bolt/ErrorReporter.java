package org.cartostream.topology.bolt;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reporter to Storm of errors in a topology that keeps running. Nimbus keeps a report with the
 * component's errors, where {@code cluster health} finds it.
 *
 * <p>Owns the time of the latest report: an error that persists is reported periodically.
 */
public final class ErrorReporter {

  /** Time between two reports of a task, seconds. */
  public static final int PERIOD_SECONDS = 30;

  private final Consumer<Throwable> storm;
  private final Executor worker;
  private long latestAt;

  /**
   * @param storm takes errors for Nimbus; may block while ZooKeeper is away
   * @param worker executor in which {@code storm} is called
   */
  public ErrorReporter(Consumer<Throwable> storm, Executor worker) {
    this.storm = storm;
    this.worker = worker;
    latestAt = Long.MIN_VALUE / 2;
  }

  /**
   * Returns true if the latest report is older than {@link #PERIOD_SECONDS}.
   *
   * @param now the time, nanoseconds
   */
  public boolean isDue(long now) {
    return now - latestAt > TimeUnit.SECONDS.toNanos(PERIOD_SECONDS);
  }

  /**
   * Reports the first of several troubles and the number of the others, in one report, since Nimbus
   * takes few reports at a time.
   *
   * @param troubles sentences for people; nothing is reported if there are none
   */
  public void report(List<String> troubles, long now) {
    if (troubles.isEmpty()) {
      return;
    }
    latestAt = now;
    int more = troubles.size() - 1;
    String sentence = troubles.get(0) + (more == 0 ? "" : "; and " + more + " more of that kind");
    worker.execute(() -> storm.accept(new Trouble(sentence)));
  }

  /** An error as Storm prints it, without a stack trace. */
  private static final class Trouble extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Trouble(String sentence) {
      super(sentence, null, false, false);
    }
  }
}
