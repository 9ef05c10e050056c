package org.cartostream.gateway.ros.scan;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cartostream.gateway.ros.tf.TransformBuffer;
import org.cartostream.ros.message.LaserScan;

/**
 * Times at which the beams of a laser's scans were measured, as its driver declares them: by {@code
 * time_increment}, or else, if the laser looks all around, by {@code scan_time}. A declaration
 * longer than the time from scan to scan is ignored: a sweep ends before the next one begins.
 *
 * <p>Owns the last scan's stamp, the last period, and whether a contradiction was reported.
 */
final class SweepTimes {

  /**
   * Maximum believable ratio of a sweep to the period of scans. Late stamps and motors explain 1.5;
   * wrong units cause more.
   */
  private static final double MAX_OF_PERIOD = 1.5;

  /** Maximum believable duration of a sweep, nanoseconds, for which odometry is surely kept. */
  private static final long MAX_NANOS = TransformBuffer.KEPT_NANOS / 2;

  private static final double TURN = 2 * Math.PI;
  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private final boolean isUsed;
  private final Consumer<String> notes;
  private long lastStampNanos = Long.MIN_VALUE;

  /** Time between the last two scans, nanoseconds; 0 before the second. */
  private long lastPeriodNanos;

  private boolean said;

  /**
   * @param isUsed false if all beams of a scan are to count as measured at once
   * @param notes receives sentences for people
   */
  SweepTimes(boolean isUsed, Consumer<String> notes) {
    this.isUsed = isUsed;
    this.notes = notes;
  }

  /**
   * Returns the time from one beam to the next, nanoseconds; 0 if the scan counts as taken at once.
   */
  double beamNanos(LaserScan scan) {
    double byIncrement = scan.timeIncrement() * SECOND;
    double byScanTime = scan.scanTime() * SECOND * Math.abs(scan.angleIncrement()) / TURN;
    boolean looksAround = Math.abs(scan.angleIncrement()) * (scan.ranges().length + 1) >= TURN;
    if (!isUsed) {
      return 0;
    }
    if (byIncrement != 0 && isBelievable(scan, byIncrement)) {
      return byIncrement;
    }
    return looksAround && isBelievable(scan, byScanTime) ? byScanTime : 0;
  }

  private static double sweepNanos(LaserScan scan, double beamNanos) {
    return beamNanos * Math.max(0, scan.ranges().length - 1);
  }

  /** Returns true if a time from beam to beam is believable; written so that a NaN is not. */
  private boolean isBelievable(LaserScan scan, double beamNanos) {
    double sweep = Math.abs(sweepNanos(scan, beamNanos));
    return sweep <= Math.min(MAX_NANOS, MAX_OF_PERIOD * periodNanos(scan));
  }

  /**
   * Returns the longer of the last two periods of scans, nanoseconds, since one stamp may be late;
   * before the second scan {@code scan_time}.
   */
  private double periodNanos(LaserScan scan) {
    long since = lastStampNanos == Long.MIN_VALUE ? 0 : scan.header().stamp() - lastStampNanos;
    long period = Math.max(since, lastPeriodNanos);
    return period > 0 ? period : scan.scanTime() > 0 ? scan.scanTime() * SECOND : MAX_NANOS;
  }

  /** Checks the declared times of the next scan, and notes its stamp. */
  void next(LaserScan scan) {
    double byIncrement = scan.timeIncrement() * SECOND;
    boolean isFirst = lastStampNanos == Long.MIN_VALUE;
    if (isUsed && !said && !isFirst && !isBelievable(scan, byIncrement)) {
      said = true;
      notes.accept(
          String.format(
              Locale.ROOT,
              "time_increment (%s s) is not believed: the scan's %d beams would take %.4g s, and a"
                  + " scan comes each %.3f s; %s",
              scan.timeIncrement(),
              scan.ranges().length,
              sweepNanos(scan, byIncrement) / SECOND,
              periodNanos(scan) / SECOND,
              beamNanos(scan) == 0
                  ? "so scans count as taken at once"
                  : "scan_time (" + scan.scanTime() + " s) is taken in its place"));
    }
    long stamp = scan.header().stamp();
    lastPeriodNanos = isFirst ? 0 : stamp - lastStampNanos;
    lastStampNanos = stamp;
  }
}
