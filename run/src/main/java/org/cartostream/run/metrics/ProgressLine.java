package org.cartostream.run.metrics;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Progress display of a run: on a terminal one line that is redrawn, otherwise a line every few
 * seconds. Owns the thread that draws, and the text drawn last.
 */
public final class ProgressLine implements AutoCloseable {

  private static final int BAR_CELLS = 20;
  private static final long REDRAW_MILLIS = 200;
  private static final long REPEAT_MILLIS = 5_000;

  /**
   * System property with the terminal's width in columns; set by the launcher if standard error is
   * a terminal.
   */
  private static final String COLUMNS = "cartostream.columns";

  private final RunMetrics runMetrics;
  private final PrintWriter out;
  private final int columns;
  private final ScheduledExecutorService thread;
  private String drawn = "";

  private ProgressLine(RunMetrics runMetrics, PrintWriter out, int columns) {
    this.runMetrics = runMetrics;
    this.out = out;
    this.columns = columns;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread daemon = new Thread(task, "progress");
              daemon.setDaemon(true);
              return daemon;
            });
  }

  /** Starts a display of {@code runMetrics} on {@code out}, which goes on until it is closed. */
  public static ProgressLine start(RunMetrics runMetrics, PrintWriter out) {
    ProgressLine progress = new ProgressLine(runMetrics, out, Integer.getInteger(COLUMNS, 0));
    long period = progress.columns > 0 ? REDRAW_MILLIS : REPEAT_MILLIS;
    progress.thread.scheduleAtFixedRate(progress::draw, period, period, TimeUnit.MILLISECONDS);
    return progress;
  }

  /** Draws the last state and ends the line. */
  @Override
  public void close() {
    thread.shutdownNow();
    draw();
    if (columns > 0 && !drawn.isEmpty()) {
      out.println();
      out.flush();
    }
  }

  private synchronized void draw() {
    String text = text(runMetrics.snapshot());
    if (text.isEmpty() && drawn.isEmpty()) {
      return; // A run that fails at once needs no bar.
    }
    if (columns > 0) {
      String cut = text.substring(0, Math.min(text.length(), columns - 1));
      out.print("\r" + cut + " ".repeat(columns - 1 - cut.length()));
    } else if (!text.equals(drawn)) {
      out.println(text);
    }
    drawn = text;
    out.flush();
  }

  /**
   * Returns the text of the line: bar, readings, rate, time left, effective sample size (Neff) and
   * distance; before the first outcome only the run's status.
   */
  static String text(RunMetrics.Snapshot now) {
    long done = now.readings().done();
    if (done == 0) {
      return now.status();
    }
    double part = now.total() == 0 ? 1 : (double) done / now.total();
    double rate = now.rate();
    int full = (int) (part * BAR_CELLS);
    String line =
        String.format(
            Locale.ROOT,
            "[%s%s] %d/%d  %.1f/s  left %s  Neff %.1f  %.0f m  %s",
            "#".repeat(full),
            ".".repeat(BAR_CELLS - full),
            done,
            now.total(),
            rate,
            rate > 0 ? minutes((now.total() - done) / rate) : "?",
            now.effectiveSampleSize(),
            now.distanceMetres(),
            now.status());
    return line.stripTrailing();
  }

  private static String minutes(double seconds) {
    long whole = Math.round(seconds);
    return String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
  }
}
