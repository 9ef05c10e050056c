package org.cartostream.gateway;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Owns the count of what became of each reading. One thread counts.
 *
 * <p>At the end of every run read = processed + refused + skipped + lost.
 */
public final class Tally {

  /**
   * The counts at the end of a run.
   *
   * @param read scan lines or scans met, usable or not
   * @param processed taken in by the filter
   * @param refused not usable, see {@code refusedByReason}
   * @param skipped left out by a live gateway for lack of credit; a replay skips none
   * @param lost sent, and never answered
   * @param refusedByReason by the refusal's name; their sum is {@code refused}
   */
  public record Counts(
      long read,
      long processed,
      long refused,
      long skipped,
      long lost,
      Map<String, Long> refusedByReason) {

    /** Read, and not yet decided. */
    public long open() {
      return read - processed - refused - skipped - lost;
    }
  }

  private long read;
  private long processed;
  private long refused;
  private long lost;
  private final Map<String, Long> refusedByReason = new TreeMap<>();

  void read() {
    read++;
  }

  void processed() {
    processed++;
  }

  void refused(String reason) {
    refused++;
    refusedByReason.merge(reason, 1L, Long::sum);
  }

  void lost() {
    lost++;
  }

  /**
   * The counts at the end.
   *
   * @throws IllegalStateException if a reading is neither processed, refused, skipped nor lost, or
   *     is two of them: the gateway itself is wrong then
   */
  Counts closed() {
    Counts counts =
        new Counts(
            read,
            processed,
            refused,
            0,
            lost,
            Collections.unmodifiableMap(new TreeMap<>(refusedByReason)));
    if (counts.open() != 0) {
      throw new IllegalStateException(counts + " leaves " + counts.open() + " readings open");
    }
    return counts;
  }
}
