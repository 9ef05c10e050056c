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
 * <p>Owns when the last scans began, and whether a contradiction was told.
 */
final class SweepTimes {

  /** Stamps are late now and then, and speeds of motors vary; units that are mixed up do more. */
  private static final double MAX_OF_PERIOD = 1.5;

  /** No longer than odometry is kept around a sweep, whatever the time from scan to scan. */
  private static final long MAX_NANOS = TransformBuffer.KEPT_NANOS / 2;

  private static final double TURN = 2 * Math.PI;
  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private final boolean isUsed;
  private final Consumer<String> notes;
  private long lastStampNanos = Long.MIN_VALUE;

  /** Between the last scan and the one before it; 0 if there is none. */
  private long lastPeriodNanos;

  private boolean said;

  /**
   * @param isUsed false if all beams of a scan are to count as measured at once
   * @param notes takes what people should know
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

  /** Returns true if the time can be believed; asked so that a NaN does not pass. */
  private boolean isBelievable(LaserScan scan, double beamNanos) {
    double sweep = Math.abs(sweepNanos(scan, beamNanos));
    return sweep <= Math.min(MAX_NANOS, MAX_OF_PERIOD * periodNanos(scan));
  }

  /** One stamp may be late: of two periods the longer one. Before the first, what the scan says. */
  private double periodNanos(LaserScan scan) {
    long since = lastStampNanos == Long.MIN_VALUE ? 0 : scan.header().stamp() - lastStampNanos;
    long period = Math.max(since, lastPeriodNanos);
    return period > 0 ? period : scan.scanTime() > 0 ? scan.scanTime() * SECOND : MAX_NANOS;
  }

  /** The next scan has come. */
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
