package org.cartostream.slam.log;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.RelativePose;
import org.cartostream.slam.trajectory.StampedPose;

/**
 * A recorded run of a robot, whatever its format: its laser scans, each with its odometry, in the
 * order in which they were taken.
 *
 * <p>A log is read once, from front to back, and closed. Reading may fail with an {@link
 * java.io.UncheckedIOException}.
 */
public interface LaserLog extends Iterator<LogEntry>, Closeable {

  /** Number of scan lines, usable or not: how many entries {@link #next} gives in all. */
  int scanCount();

  /** The best known trajectory, by stamp, if the file holds one; else empty. */
  default List<StampedPose> reference() {
    return List.of();
  }

  /** Returns the loop edges that the log gives; empty if it gives none. */
  default List<RelativePose> loopEdges() {
    return List.of();
  }

  /**
   * Returns the assumptions made where the log leaves something open, and the settings that replace
   * them: sentences for people, without a full stop. Empty if there are none.
   */
  default List<String> notices() {
    return List.of();
  }

  /**
   * Returns how much of its files was read, and what is wrong with the rest: a sentence for people,
   * without a full stop. Empty if the files are whole. Known before the first entry, for every log
   * is read through once when it is opened.
   */
  default Optional<String> damage() {
    return Optional.empty();
  }

  /** Returns the readings among the next {@code max} entries. */
  default List<Reading> readings(long max) {
    List<Reading> readings = new ArrayList<>();
    for (long entry = 0; entry < max && hasNext(); entry++) {
      if (next() instanceof LogEntry.Usable usable) {
        readings.add(usable.reading());
      }
    }
    return readings;
  }
}
