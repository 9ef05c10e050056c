package org.cartostream.gateway.ros;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.Outcome;
import org.cartostream.gateway.LeftOut;
import org.cartostream.gateway.ReadingCounter;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.slam.sensor.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what became of each scan of a robot, and tells the log why scans were refused or lost, at
 * most once a second. Thread-safe.
 */
final class Fates {

  private static final Logger LOG = LoggerFactory.getLogger(Fates.class);
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ReadingCounter counter = new ReadingCounter();
  private long untold;
  private String lastWhy = "";
  private boolean hasTold;
  private long toldAtNanos;

  void read() {
    counter.read();
  }

  /** A scan is not used, by this gateway's decision. */
  void unused(Refusal.Because why, long nanoTime) {
    boolean usual = why.refusal() instanceof RosRefusal reason && reason.isUsual();
    if (usual || why.refusal() instanceof LeftOut) {
      counter.skipped(why.refusal().name());
      LOG.debug("a scan is left out: {}", why);
    } else {
      counter.refused(why.refusal().name());
      tell(why.toString(), nanoTime);
    }
  }

  /** The service has answered a scan that was sent. */
  void answered(Outcome outcome, long nanoTime) {
    counter.outcome(outcome);
    if (outcome instanceof Outcome.Refused refusal) {
      tell(refusal.sentence(), nanoTime);
    } else if (outcome instanceof Outcome.Lost loss) {
      tell(loss.sentence(), nanoTime);
    }
  }

  private synchronized void tell(String why, long nanoTime) {
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
    return lastWhy;
  }

  ReadingCounts counts() {
    return counter.counts();
  }

  /** Refused and skipped scans by the refusal's name. */
  Map<String, Long> unusedByReason() {
    return counter.unusedByReason();
  }
}
