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
 * outcome. Owns the counts, the times, the distance driven and the {@link LivePath}; tells the
 * run's observer of each outcome. Thread-safe: an engine writes, the progress line reads.
 */
public final class RunMetrics {

  private static final int SIGNIFICANT_DIGITS = 3;

  /**
   * Number of readings refused for one reason, with the sentence of the first refusal.
   *
   * @param count number of readings refused for this reason
   * @param first sentence for people on the first refusal: the offending value and its place in the
   *     log
   */
  public record Reason(long count, String first) {}

  /**
   * Mean and percentiles of the filter's time per reading, milliseconds; all 0 without readings.
   *
   * @param mean mean time per reading, milliseconds
   */
  public record Millis(double mean, double p50, double p95, double p99) {}

  /**
   * A checkpoint from which a run went on.
   *
   * @param reading number of the last reading in the checkpoint
   * @param seconds time to load the checkpoint, seconds
   */
  public record Resumed(long reading, double seconds) {}

  /**
   * The state of the run at one moment.
   *
   * @param total scans that will be read in all
   * @param effectiveSampleSize Neff after the latest reading
   * @param distanceMetres distance driven along the filter's poses, without the jumps of closed
   *     loops, metres
   * @param seconds time from when the filter took the first reading until now, or until the last
   *     answer if all have come, seconds
   * @param status short text for people on the run's current step or trouble; may be empty
   */
  public record Snapshot(
      long total,
      ReadingCounts readings,
      double effectiveSampleSize,
      double distanceMetres,
      double seconds,
      String status) {

    /** Returns the readings done per second; 0 before the first. */
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

  /**
   * Returns the log's entries up to the total number of scans, and counts each when it is taken; a
   * refused entry's outcome is recorded at once.
   */
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

  /** Counts an entry that was taken from the log. */
  private synchronized void read(LogEntry entry) {
    read++;
    if (entry instanceof LogEntry.Usable usable) {
      if (usable.carriedTo() != null) {
        latestLocal = null; // The robot did not drive there. All earlier readings have outcomes.
        livePath.carried();
      }
      livePath.read(usable.reading());
    }
  }

  /**
   * Records a reading's outcome, and tells the observer and the log of it.
   *
   * @param reading the reading; null if the scan was refused before it became a reading
   */
  public void record(Reading reading, Outcome outcome) {
    observer.outcome(enter(reading, outcome), reading, outcome);
    answeredLog.answered(reading, outcome);
  }

  /** Sets the log that is told of all outcomes. */
  public void answerTo(AnsweredLog log) {
    answeredLog = log;
  }

  /** Returns true while the log's next entry depends on outcomes that are not known yet. */
  public boolean isLogHeld() {
    return answeredLog.isHeld();
  }

  /**
   * Enters a reading's outcome; returns the reading's number, from 1, or 0 if it was never read.
   */
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
      // The local pose, because a correction moves the one in the map without any driving.
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

  /** Replaces the counts by those of the gateway, which are authoritative if there is a gateway. */
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

  /** Returns the live path, which is complete when the run has ended. */
  public LivePath livePath() {
    return livePath;
  }

  /** Ends the run: nothing more will be read or answered. */
  public synchronized void end() {
    ended = true;
  }

  /** Notes that the run was given up; further reasons are appended to the first. */
  public synchronized void fail(String why) {
    failure = failure == null ? why : failure + "; " + why;
  }

  /** Returns why the run was given up; empty if it was not. */
  public synchronized Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  /** Notes that the run resumes from a checkpoint, whose readings are not processed again. */
  public synchronized void resumed(Resumed from) {
    resumed = from;
  }

  /** Notes the number of the run's last reading. */
  public synchronized void endedWith(long reading) {
    lastReading = reading;
  }

  /** Returns the number of the run's last reading; 0 before the run's end. */
  public synchronized long lastReading() {
    return lastReading;
  }

  /**
   * Sets an action to run once the log is known to be the right one for the run; see {@link
   * #logIsKnown}.
   */
  public synchronized void whenLogIsKnown(Runnable something) {
    whenLogIsKnown = something;
  }

  /**
   * Runs the action of {@link #whenLogIsKnown}: the log has been checked against the state that the
   * run continues, or the run begins anew.
   */
  public void logIsKnown() {
    Runnable something;
    synchronized (this) {
      something = whenLogIsKnown;
    }
    something.run();
  }

  /** Returns the checkpoint from which the run resumed; null if the run began anew. */
  public synchronized Resumed resumed() {
    return resumed;
  }

  /** Sets the text that is shown beside the progress until the next call; empty for none. */
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

  /** Returns the refusals by the name of their reason. */
  public synchronized Map<String, Reason> refusals() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(reasons));
  }

  /** Returns the filter's time for each processed reading, nanoseconds. */
  public synchronized List<Long> serviceNanos() {
    return List.copyOf(serviceNanos);
  }

  /**
   * Returns the resources that this JVM has used per processed reading so far, without the first.
   */
  public synchronized JvmUsage jvmUsage() {
    return used.since(usedBefore, Math.max(0, serviceNanos.size() - 1));
  }

  /** Returns the times of all readings processed so far. */
  public synchronized Millis millis() {
    Histogram all = trustedNanos.copy();
    all.add(searchedNanos);
    return millis(all);
  }

  /** Returns the times of the readings that needed no wide search. */
  public synchronized Millis millisTrusted() {
    return millis(trustedNanos);
  }

  /** Returns the times of the readings that needed a wide search. */
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
