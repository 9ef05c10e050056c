package org.cartostream.run.metrics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.web.observer.RunObserver;

/**
 * Counts and times of a run: each reading is entered when it is read, and once more with its
 * outcome. Owns the counts, the times, the distance driven and the {@link LivePath}; tells who
 * watches the run of each outcome. Thread-safe: an engine writes, the progress line reads.
 */
public final class RunMetrics {

  private static final int SIGNIFICANT_DIGITS = 3;

  /**
   * Count of one reason, with the first sentence that came with it.
   *
   * @param count readings refused for this reason
   * @param first for people: the first offending value and where it stood
   */
  public record Reason(long count, String first) {}

  /**
   * Milliseconds that the filter took for a reading; all 0 if there was none.
   *
   * @param mean of the readings, as the percentiles
   */
  public record Millis(double mean, double p50, double p95, double p99) {}

  /**
   * A checkpoint from which a run went on.
   *
   * @param reading number of the last reading in it
   * @param seconds that it took to load
   */
  public record Resumed(long reading, double seconds) {}

  /**
   * The state of the run at one moment.
   *
   * @param total scans that will be read in all
   * @param effectiveSampleSize Neff after the latest reading
   * @param distanceMetres along the filter's own poses, without the jumps of closed loops
   * @param seconds since the filter took the first reading; after the last answer, until that
   * @param status what the user should know now, or empty
   */
  public record Snapshot(
      long total,
      ReadingCounts readings,
      double effectiveSampleSize,
      double distanceMetres,
      double seconds,
      String status) {

    /** Readings per second; 0 before the first. */
    double rate() {
      return seconds > 0 ? readings.done() / seconds : 0;
    }
  }

  private final long total;
  private final LongSupplier nanoClock;
  private final RunObserver observer;
  private final Histogram trustedNanos = new Histogram(SIGNIFICANT_DIGITS);
  private final Histogram searchedNanos = new Histogram(SIGNIFICANT_DIGITS);
  private final List<Long> serviceNanos = new ArrayList<>();
  private final Map<String, Reason> reasons = new TreeMap<>();
  private long read;
  private long processed;
  private long refused;
  private long skipped;
  private long lost;
  private long startNanos;
  private JvmUsage usedBefore = JvmUsage.NONE;
  private JvmUsage used = JvmUsage.NONE;
  private long answerNanos;
  private double effectiveSampleSize;
  private double distanceMetres;
  private Pose latestLocal;
  private final LivePath livePath = new LivePath();
  private boolean ended;
  private String failure;
  private String status = "";
  private Resumed resumed;
  private long lastReading;
  private Runnable whenLogIsKnown = () -> {};
  private AnsweredLog answeredLog = AnsweredLog.NONE;

  /**
   * @param total scans that will be read in all
   * @param nanoClock nanoseconds from any origin: {@link System#nanoTime}
   * @param observer is told of each outcome
   */
  public RunMetrics(long total, LongSupplier nanoClock, RunObserver observer) {
    this.total = total;
    this.nanoClock = nanoClock;
    this.observer = observer;
  }

  /** Returns the observer of the run. */
  public RunObserver observer() {
    return observer;
  }

  /** The first scans of {@code log}; each is entered as it is taken, and so is its refusal. */
  public Iterator<LogEntry> watch(Iterator<LogEntry> log) {
    return new Iterator<>() {
      private long taken;

      @Override
      public boolean hasNext() {
        return taken < total && log.hasNext();
      }

      @Override
      public LogEntry next() {
        if (!hasNext()) {
          throw new NoSuchElementException("only " + taken + " scans are to be read");
        }
        LogEntry entry = log.next();
        taken++;
        read(entry);
        if (entry instanceof LogEntry.Refused refused) {
          record(null, Outcome.Refused.of(refused.why()));
        }
        return entry;
      }
    };
  }

  /** One more scan came out of the log. */
  private synchronized void read(LogEntry entry) {
    read++;
    if (entry instanceof LogEntry.Usable usable) {
      if (usable.carriedTo() != null) {
        latestLocal = null; // The way there was not driven. All before have answers.
        livePath.carried();
      }
      livePath.read(usable.reading());
    }
  }

  /**
   * One reading got its outcome.
   *
   * @param reading null if it was refused before it was one
   */
  public void record(Reading reading, Outcome outcome) {
    observer.outcome(enter(reading, outcome), reading, outcome);
    answeredLog.answered(reading, outcome);
  }

  /** The run's log is told of its outcomes. */
  public void answerTo(AnsweredLog log) {
    answeredLog = log;
  }

  /** True as long as the log's next entry depends on answers that have not come. */
  public boolean isLogHeld() {
    return answeredLog.isHeld();
  }

  /** Returns the reading's number. */
  private synchronized long enter(Reading reading, Outcome outcome) {
    answerNanos = nanoClock.getAsLong();
    final long number = livePath.answered(reading, outcome);
    if (outcome instanceof Outcome.Processed taken) {
      if (processed == 0) {
        startNanos = answerNanos - taken.serviceNanos();
        usedBefore = JvmUsage.soFar();
      }
      processed++;
      used = JvmUsage.soFar();
      Histogram nanos = taken.searched() ? searchedNanos : trustedNanos;
      nanos.recordValue(Math.max(0, taken.serviceNanos()));
      serviceNanos.add(taken.serviceNanos());
      effectiveSampleSize = taken.pose().effectiveSampleSize();
      // A correction moves the map below the robot, which drives no metre by it.
      distanceMetres += latestLocal == null ? 0 : latestLocal.distance(taken.pose().local());
      latestLocal = taken.pose().local();
    } else if (outcome instanceof Outcome.Refused no) {
      refused++;
      reasons.merge(
          no.refusal(),
          new Reason(1, no.sentence()),
          (before, one) -> new Reason(before.count() + 1, before.first()));
    } else {
      lost++;
    }
    return number;
  }

  /** Takes over the gateway's own account, which is the one that counts where there is one. */
  public synchronized void replaceCounts(ReadingCounts counts, Map<String, Long> refusedByReason) {
    read = counts.read();
    processed = counts.processed();
    refused = counts.refused();
    skipped = counts.skipped();
    lost = counts.lost();
    refusedByReason.forEach(
        (name, count) -> {
          Reason before = reasons.get(name);
          reasons.put(name, new Reason(count, before == null ? "" : before.first()));
        });
  }

  /** The poses as the robot was told them; whole when the run has ended. */
  public LivePath livePath() {
    return livePath;
  }

  /** Ends the run: nothing more will be read or answered. */
  public synchronized void end() {
    ended = true;
  }

  /** The run was given up. */
  public synchronized void fail(String why) {
    failure = failure == null ? why : failure + "; " + why;
  }

  /** Why the run was given up; empty if it was not. */
  public synchronized Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  /** The run goes on from a checkpoint; readings until that are not processed again. */
  public synchronized void resumed(Resumed from) {
    resumed = from;
  }

  /** The run has ended with the reading of this number. */
  public synchronized void endedWith(long reading) {
    lastReading = reading;
  }

  /** Number of the run's last reading; 0 before its end. */
  public synchronized long lastReading() {
    return lastReading;
  }

  /** Has something done once it is known that the log is the one that the run goes on with. */
  public synchronized void whenLogIsKnown(Runnable something) {
    whenLogIsKnown = something;
  }

  /** The log is the one that the run goes on with, or the run begins anew. */
  public void logIsKnown() {
    Runnable something;
    synchronized (this) {
      something = whenLogIsKnown;
    }
    something.run();
  }

  /** Returns the reading from which the run went on; null if it began anew. */
  public synchronized Resumed resumed() {
    return resumed;
  }

  /** Something to be shown beside the progress, for as long as it holds; empty for nothing. */
  public synchronized void status(String text) {
    status = text;
  }

  public synchronized Snapshot snapshot() {
    return new Snapshot(
        total,
        new ReadingCounts(read, processed, refused, skipped, lost),
        effectiveSampleSize,
        distanceMetres,
        seconds(),
        status);
  }

  private double seconds() {
    if (processed == 0) {
      return 0;
    }
    boolean allAnswered = processed + refused + skipped + lost >= total;
    return ((ended || allAnswered ? answerNanos : nanoClock.getAsLong()) - startNanos) / 1e9;
  }

  /** Refusals by name. */
  public synchronized Map<String, Reason> refusals() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(reasons));
  }

  /** Nanoseconds of each reading processed so far, at most one for each scan of the log. */
  public synchronized List<Long> serviceNanos() {
    return List.copyOf(serviceNanos);
  }

  /**
   * Returns the resources that this JVM has used per processed reading so far, without the first.
   */
  public synchronized JvmUsage jvmUsage() {
    return used.since(usedBefore, Math.max(0, serviceNanos.size() - 1));
  }

  /** Times of the readings processed so far. */
  public synchronized Millis millis() {
    Histogram all = trustedNanos.copy();
    all.add(searchedNanos);
    return millis(all);
  }

  /** Times of those that needed no wide search. */
  public synchronized Millis millisTrusted() {
    return millis(trustedNanos);
  }

  /** Times of those for which a wide search was needed. */
  public synchronized Millis millisSearched() {
    return millis(searchedNanos);
  }

  private static Millis millis(Histogram nanos) {
    return new Millis(
        nanos.getTotalCount() == 0 ? 0 : nanos.getMean() / 1e6,
        nanos.getValueAtPercentile(50) / 1e6,
        nanos.getValueAtPercentile(95) / 1e6,
        nanos.getValueAtPercentile(99) / 1e6);
  }
}
