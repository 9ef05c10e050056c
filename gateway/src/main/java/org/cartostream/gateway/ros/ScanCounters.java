package org.cartostream.gateway.ros;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.ReadingCounter;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.ros.scan.RosRefusal;
import org.cartostream.slam.sensor.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counters of a robot's scans by outcome, which also log, at most once a second, why scans were
 * refused or lost. Thread-safe.
 */
final class ScanCounters {

  private static final Logger LOG = LoggerFactory.getLogger(ScanCounters.class);
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String robot;
  private final ReadingCounter counter = new ReadingCounter();
  private long unlogged;
  private String lastReason = "";
  private boolean hasLogged;
  private long loggedAtNanos;

  /**
   * @param robot robot's id, for the log
   */
  ScanCounters(String robot) {
    this.robot = robot;
  }

  /** Counts scans that have come. */
  void read(int scans) {
    for (int i = 0; i < scans; i++) {
      counter.read();
    }
  }

  /** Counts a scan that this gateway does not use. */
  void notUsed(Refusal.Reason why, long nanoTime) {
    boolean usual = why.refusal() instanceof RosRefusal reason && reason.isUsual();
    if (usual || why.refusal() instanceof SkipReason) {
      counter.skipped(why.refusal().name());
      LOG.debug("a scan is left out: {}", why);
    } else {
      counter.refused(why.refusal().name());
      logRateLimited(why.toString(), nanoTime);
    }
  }

  /** Counts a scan that the service has answered. */
  void answered(Outcome outcome, long nanoTime) {
    counter.outcome(outcome);
    if (outcome instanceof Outcome.Refused refusal) {
      logRateLimited(refusal.sentence(), nanoTime);
    } else if (outcome instanceof Outcome.Lost loss) {
      logRateLimited(loss.sentence(), nanoTime);
    }
  }

  private synchronized void logRateLimited(String why, long nanoTime) {
    unlogged++;
    lastReason = why;
    if (hasLogged && nanoTime - loggedAtNanos < QUIET_NANOS) {
      return;
    }
    LOG.warn(
        "robot {}: {} not used: {}",
        robot,
        unlogged == 1 ? "a scan is" : unlogged + " scans are",
        why);
    unlogged = 0;
    hasLogged = true;
    loggedAtNanos = nanoTime;
  }

  /** Returns why the last refused or lost scan was, for people; empty if none was. */
  synchronized String lastReason() {
    return lastReason;
  }

  /** Returns a sentence for people with the numbers of scans by outcome. */
  String summary() {
    ReadingCounts counts = counts();
    Map<String, Long> reasons = unusedByReason();
    return "%d scans read: %d processed, %d refused, %d skipped, %d lost%s"
        .formatted(
            counts.read(),
            counts.processed(),
            counts.refused(),
            counts.skipped(),
            counts.lost(),
            reasons.isEmpty() ? "" : " " + reasons);
  }

  ReadingCounts counts() {
    return counter.counts();
  }

  /** Returns the numbers of refused and skipped scans by the refusal's name. */
  Map<String, Long> unusedByReason() {
    return counter.unusedByReason();
  }
}
