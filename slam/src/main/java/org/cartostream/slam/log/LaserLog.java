package org.cartostream.slam.log;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.zip.ZipException;
import org.cartostream.slam.sensor.Reading;

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

  /** Where the robot is known to have come back to an earlier place; else empty. */
  default List<Relation> loopEdges() {
    return List.of();
  }

  /**
   * What the log leaves open and was taken for granted, and how to say it: sentences for people,
   * without an end mark. Empty if there is nothing of that kind.
   */
  default List<String> notices() {
    return List.of();
  }

  /** Those among the next so many entries that are readings. */
  default List<Reading> readings(long most) {
    List<Reading> readings = new ArrayList<>();
    for (long entry = 0; entry < most && hasNext(); entry++) {
      if (next() instanceof LogEntry.Taken taken) {
        readings.add(taken.reading());
      }
    }
    return readings;
  }

  /** Opens a log that needs no settings, see {@link #open(Path, CarmenSettings)}. */
  static LaserLog open(Path file) throws IOException {
    return open(file, CarmenSettings.defaults());
  }

  /**
   * Opens a CARMEN log or a g2o file with scans, told apart by content; either may be packed with
   * gzip, or alone in a zip archive.
   *
   * @param settings say what the lines leave open
   * @throws LogFormatException if the file is no log
   * @throws java.nio.file.NoSuchFileException if there is no such file
   * @throws IOException if it cannot be read
   */
  static LaserLog open(Path file, CarmenSettings settings) throws IOException {
    try {
      Survey survey = Survey.of(file, settings);
      return survey.isPoseGraph() ? G2oLog.read(file, survey) : new CarmenLog(file, survey);
    } catch (EOFException | ZipException e) {
      throw new LogFormatException(file + " is a damaged archive: " + e.getMessage(), e);
    }
  }
}
