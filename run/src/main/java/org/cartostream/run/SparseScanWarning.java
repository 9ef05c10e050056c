package org.cartostream.run;

import java.util.Iterator;
import java.util.Optional;
import org.cartostream.slam.log.LogEntry;

/**
 * Warning about a log whose scans have too few beams to tell where they were taken. Counts the
 * log's scans and those with few beams.
 */
final class SparseScanWarning {

  /**
   * Minimum number of beams per scan for a good path. In the office log, the absolute trajectory
   * error (ATE) is 0.07 m with 12 to 24 beams over 270 degrees, 0.13 m with 8, and nearly 1 m with
   * 3; with one beam the path is no better than chance.
   */
  private static final int ENOUGH_BEAMS = 12;

  private long scans;
  private long few;
  private int fewest = ENOUGH_BEAMS;

  /** Returns the log's entries unchanged, and counts each scan when its entry is taken. */
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

  /** Returns a warning for people if most scans have too few beams; otherwise empty. */
  Optional<String> notice() {
    return 2 * few <= scans
        ? Optional.empty()
        : Optional.of(
            ("%d of %d scans have fewer than %d beams, and as few as %d: by so few a scan does not"
                    + " say where it was taken, so neither path nor map can be relied on")
                .formatted(few, scans, ENOUGH_BEAMS, fewest));
  }
}
