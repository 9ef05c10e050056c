package org.cartostream.gateway.ros;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.Outcome;
import org.cartostream.gateway.LeftOut;
import org.cartostream.slam.sensor.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the count of what became of each scan: read = processed + refused + skipped + lost + open.
 * Tells the log why scans were refused or lost, at most once a second. Thread-safe.
 */
final class Fates {

  private static final Logger LOG = LoggerFactory.getLogger(Fates.class);
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * The counts at one moment.
   *
   * @param unusedByReason refused and skipped ones by the refusal's name
   */
  record Counts(
      long read,
      long processed,
      long refused,
      long skipped,
      long lost,
      Map<String, Long> unusedByReason) {}

  private final Map<String, Long> unusedByReason = new TreeMap<>();
  private long read;
  private long processed;
  private long refused;
  private long skipped;
  private long lost;
  private long untold;
  private String lastWhy;
  private boolean hasTold;
  private long toldAtNanos;

  synchronized void read() {
    read++;
  }

  /** A scan is not used, by this gateway's word. */
  synchronized void unused(Refusal.Because why, long nanoTime) {
    unusedByReason.merge(why.refusal().name(), 1L, Long::sum);
    boolean usual = why.refusal() instanceof RosRefusal reason && reason.isUsual();
    if (usual || why.refusal() instanceof LeftOut) {
      skipped++;
      LOG.debug("a scan is left out: {}", why);
    } else {
      refused++;
      tell(why.toString(), nanoTime);
    }
  }

  /** The service has said what became of a scan that was sent. */
  synchronized void answered(Outcome outcome, long nanoTime) {
    if (outcome instanceof Outcome.Processed) {
      processed++;
    } else if (outcome instanceof Outcome.Refused refusal) {
      refused++;
      unusedByReason.merge(refusal.refusal(), 1L, Long::sum);
      tell(refusal.sentence(), nanoTime);
    } else if (outcome instanceof Outcome.Lost loss) {
      lost++;
      tell(loss.sentence(), nanoTime);
    }
  }

  private void tell(String why, long nanoTime) {
    untold++;
    lastWhy = why;
    if (hasTold && nanoTime - toldAtNanos < QUIET_NANOS) {
      return;
    }
    LOG.warn("{} not used: {}", untold == 1 ? "a scan is" : untold + " scans are", why);
    untold = 0;
    hasTold = true;
    toldAtNanos = nanoTime;
  }

  /** Why the last scan was refused or lost, for people; empty if none was. */
  synchronized String lastWhy() {
    return lastWhy == null ? "" : lastWhy;
  }

  synchronized Counts counts() {
    return new Counts(
        read,
        processed,
        refused,
        skipped,
        lost,
        Collections.unmodifiableMap(new TreeMap<>(unusedByReason)));
  }
}
