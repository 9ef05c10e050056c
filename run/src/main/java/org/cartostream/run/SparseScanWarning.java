package org.cartostream.run;

import java.util.Iterator;
import java.util.Optional;
import org.cartostream.slam.log.LogEntry;

/**
 * Warning about a log's scans with too few beams for a filter to know where they were taken; counts
 * them.
 */
final class SparseScanWarning {

  /**
   * Least number of beams for a good path: in the office it is off by 0.07 m (ATE) with 12 to 24
   * beams over 270 degrees, by 0.13 m with 8, by nearly 1 m with 3; with one nothing tells it from
   * chance.
   */
  private static final int ENOUGH_BEAMS = 12;

  private long scans;
  private long few;
  private int fewest = ENOUGH_BEAMS;

  /** Returns the same entries; their scans are counted as they are taken. */
  Iterator<LogEntry> watch(Iterator<LogEntry> log) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return log.hasNext();
      }

      @Override
      public LogEntry next() {
        LogEntry entry = log.next();
        if (entry instanceof LogEntry.Usable usable) {
          count(usable.reading().scan().beams());
        }
        return entry;
      }
    };
  }

  private void count(int beams) {
    scans++;
    few += beams < ENOUGH_BEAMS ? 1 : 0;
    fewest = Math.min(fewest, beams);
  }

  /** A sentence, if it is most of the scans. */
  Optional<String> notice() {
    return 2 * few <= scans
        ? Optional.empty()
        : Optional.of(
            ("%d of %d scans have fewer than %d beams, and as few as %d: by so few a scan does not"
                    + " say where it was taken, so neither path nor map can be relied on")
                .formatted(few, scans, ENOUGH_BEAMS, fewest));
  }
}
