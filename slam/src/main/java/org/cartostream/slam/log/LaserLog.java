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
 * A recorded run of a robot, whatever its format: its laser scans with the odometry of each, in the
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
   * Returns what the log leaves open and was taken for granted, and how to say it: sentences for
   * people, without an end mark. Empty if there is nothing of that kind.
   */
  default List<String> notices() {
    return List.of();
  }

  /**
   * Returns how much of its files was read, and what is wrong with the rest: a sentence for people,
   * without an end mark. Empty if they are whole. Known from the beginning, for every log is looked
   * through once before its first entry.
   */
  default Optional<String> damage() {
    return Optional.empty();
  }

  /** Returns those among the next so many entries that are readings. */
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
