package org.cartostream.gateway;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.cartostream.broker.message.Outcome;

/** Counter of readings by outcome, and by the reasons why some are not used. Thread-safe. */
public final class ReadingCounter {

  private final Map<String, Long> unusedByReason = new TreeMap<>();
  private long read;
  private long processed;
  private long refused;
  private long skipped;
  private long lost;

  /** Counts a reading that came from the log or the robot. */
  public synchronized void read() {
    read++;
  }

  /** Counts a reading by the outcome that the service has sent. */
  public synchronized void outcome(Outcome outcome) {
    if (outcome instanceof Outcome.Processed) {
      processed++;
    } else if (outcome instanceof Outcome.Refused no) {
      refused(no.refusal());
    } else {
      lost++;
    }
  }

  /**
   * Counts a reading that cannot be used.
   *
   * @param reason the refusal's name
   */
  public synchronized void refused(String reason) {
    refused++;
    unusedByReason.merge(reason, 1L, Long::sum);
  }

  /**
   * Counts a usable reading that is not sent.
   *
   * @param reason the refusal's name
   */
  public synchronized void skipped(String reason) {
    skipped++;
    unusedByReason.merge(reason, 1L, Long::sum);
  }

  public synchronized ReadingCounts counts() {
    return new ReadingCounts(read, processed, refused, skipped, lost);
  }

  /** Returns the numbers of refused and of skipped readings by the refusal's name. */
  public synchronized Map<String, Long> unusedByReason() {
    return Collections.unmodifiableMap(new TreeMap<>(unusedByReason));
  }
}
