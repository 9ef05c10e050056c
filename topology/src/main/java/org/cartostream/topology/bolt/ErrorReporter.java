package org.cartostream.topology.bolt;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reporter to Storm of errors in a topology that keeps running. Nimbus keeps it with the
 * component's errors, where {@code cluster health} finds it.
 *
 * <p>Owns the time of the latest report: what goes on being wrong is said again.
 */
public final class ErrorReporter {

  /** Between two reports of a task. */
  public static final int PERIOD_SECONDS = 30;

  private final Consumer<Throwable> storm;
  private final Executor worker;
  private long latestAt;

  /**
   * @param storm takes errors for Nimbus; it may block while ZooKeeper is away
   * @param worker calls it
   */
  public ErrorReporter(Consumer<Throwable> storm, Executor worker) {
    this.storm = storm;
    this.worker = worker;
    latestAt = Long.MIN_VALUE / 2;
  }

  /** True if the latest report is {@link #PERIOD_SECONDS} old. */
  public boolean isDue(long now) {
    return now - latestAt > TimeUnit.SECONDS.toNanos(PERIOD_SECONDS);
  }

  /**
   * Reports, in one report: Nimbus takes few at a time.
   *
   * @param troubles sentences for people; nothing is reported if there is none
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
