package org.cartostream.sim.log;

import java.math.BigDecimal;
import java.util.Locale;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * Writer of readings as {@code ROBOTLASER1} lines of CARMEN's log format. Ranges are rounded to
 * centimetres, as laser scanners give them; stamps are exact.
 */
final class CarmenLogWriter {

  private static final double ACCURACY_METRES = 0.01;
  private static final int MIN_STAMP_DECIMALS = 3;

  private CarmenLogWriter() {}

  /**
   * Formats a reading as one line, without a line end.
   *
   * @param host name of the computer, written into the line; white space becomes {@code _}
   */
  static String of(Reading reading, String host) {
    Scan scan = reading.scan();
    Pose odometry = reading.odometry();
    StringBuilder line = new StringBuilder("ROBOTLASER1 0");
    append(line, 6, scan.startAngle(), scan.angleStep() * (scan.beams() - 1));
    append(line, 9, scan.angleStep());
    append(line, 2, scan.maxRange(), ACCURACY_METRES);
    line.append(" 0 ").append(scan.beams());
    for (int i = 0; i < scan.beams(); i++) {
      // Else a maximum of 4.095 m would become 4.10 and an equal range, which is a float, 4.09.
      boolean isAtMaximum = scan.ranges()[i] == (float) scan.maxRange();
      append(line, 2, isAtMaximum ? scan.maxRange() : scan.ranges()[i]);
    }
    Pose laser = odometry.then(scan.mount());
    line.append(" 0");
    append(line, 6, laser.x(), laser.y(), laser.theta());
    append(line, 6, odometry.x(), odometry.y(), odometry.theta());
    String stamp = seconds(reading.stampNanos());
    return line + " 0 0 0 0 0 " + stamp + " " + host.replaceAll("\\s", "_") + " " + stamp;
  }

  private static String seconds(long stampNanos) {
    BigDecimal seconds = BigDecimal.valueOf(stampNanos, 9).stripTrailingZeros();
    return seconds.setScale(Math.max(MIN_STAMP_DECIMALS, seconds.scale())).toPlainString();
  }

  private static void append(StringBuilder line, int decimals, double... values) {
    for (double value : values) {
      line.append(String.format(Locale.ROOT, " %." + decimals + "f", value));
    }
  }
}
