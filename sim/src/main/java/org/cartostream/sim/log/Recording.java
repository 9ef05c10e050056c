package org.cartostream.sim.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;

/**
 * A log in memory with the true path of the robot.
 *
 * @param readings the log's readings, oldest first
 * @param reference true poses of the base, or the best that are known, at the readings' stamps
 */
public record Recording(List<Reading> readings, List<StampedPose> reference) {

  /**
   * Maximum difference between stamps that count as equal, since text formats round them;
   * nanoseconds.
   */
  private static final long SAME_STAMP_NANOS = 500_000;

  public Recording {
    readings = List.copyOf(readings);
    reference = List.copyOf(reference);
  }

  /**
   * Reads the usable readings of a log, which is then closed, and the reference from a TUM file.
   */
  public static Recording read(LaserLog scans, Path reference) throws IOException {
    try (scans) {
      return new Recording(scans.readings(Long.MAX_VALUE), TumFile.read(reference));
    }
  }

  /**
   * Returns a recording of other readings of the same drive, with the reference at their stamps.
   */
  public Recording with(List<Reading> others) {
    TreeSet<Long> stamps = new TreeSet<>();
    others.forEach(reading -> stamps.add(reading.stampNanos()));
    return new Recording(
        others,
        reference.stream()
            .filter(
                pose -> {
                  Long before = stamps.floor(pose.stampNanos() + SAME_STAMP_NANOS);
                  return before != null && before >= pose.stampNanos() - SAME_STAMP_NANOS;
                })
            .toList());
  }

  /** Returns a recording of the first readings, at most {@code count}. */
  public Recording first(int count) {
    return with(readings.subList(0, Math.min(count, readings.size())));
  }

  /** Returns the path by odometry alone. */
  public List<StampedPose> odometry() {
    return readings.stream()
        .map(reading -> new StampedPose(reading.stampNanos(), reading.odometry()))
        .toList();
  }

  /**
   * Writes {@code NAME.clf} (CARMEN) and {@code NAME.reference.tum} into a folder, which must
   * exist.
   */
  public void write(Path folder, String name) throws IOException {
    StringBuilder log = new StringBuilder();
    for (Reading reading : readings) {
      log.append(CarmenLogWriter.of(reading, name)).append('\n');
    }
    Files.writeString(folder.resolve(name + ".clf"), log, StandardCharsets.US_ASCII);
    TumFile.write(folder.resolve(name + ".reference.tum"), reference);
  }
}
