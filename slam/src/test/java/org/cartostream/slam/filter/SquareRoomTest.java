package org.cartostream.slam.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.RecordedLogs;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.Test;

/**
 * Heading by the walls of a room in which all walls are parallel or at right angles, as in the log
 * {@code simbad-640}: each scan tells it alone, to a quarter turn, without map or odometry. That
 * log's own poses are off by more than a degree from one scan to the next, and so its reference,
 * which is the same, can't tell how good a better trajectory is.
 */
class SquareRoomTest {

  private static final int READINGS = 120;

  /** Ends of beams so far apart in the scan make a piece of wall, if they are near each other. */
  private static final int APART = 4;

  private static final double NEAR_METRES = 0.6;

  private static final double QUARTER = StrictMath.PI / 2;

  @Test
  void headingFollowsTheWallsMoreCloselyThanOdometry() throws IOException {
    Map<String, String> values = Map.of("particles", "10");
    SerialFilter filter = new SerialFilter(Settings.build(FilterSettings.class, values), "robot");
    List<Double> filtered = new ArrayList<>();
    List<Double> odometry = new ArrayList<>();
    try (LaserLog log = LaserLog.open(RecordedLogs.shared("simbad-640.clf"))) {
      for (int k = 1; k <= READINGS; k++) {
        Reading reading = ((LogEntry.Taken) log.next()).reading();
        double byWalls = headingByWalls(reading.scan());
        SerialFilter.Result result = filter.process(k, reading);
        double heading = ((SerialFilter.Result.Processed) result).pose().theta();
        filtered.add(heading - byWalls);
        odometry.add(reading.odometry().theta() - byWalls);
      }
    }
    assertThat(spreadDegrees(odometry)).isGreaterThan(1);
    assertThat(spreadDegrees(filtered)).isLessThan(0.25);
  }

  /** Heading in the walls' frame, radians, to a quarter turn. */
  private static double headingByWalls(Scan scan) {
    double cos = 0;
    double sin = 0;
    for (int i = 0; i + APART < scan.beams(); i++) {
      double a = scan.startAngle() + i * scan.angleStep();
      double b = scan.startAngle() + (i + APART) * scan.angleStep();
      double dx =
          scan.ranges()[i + APART] * StrictMath.cos(b) - scan.ranges()[i] * StrictMath.cos(a);
      double dy =
          scan.ranges()[i + APART] * StrictMath.sin(b) - scan.ranges()[i] * StrictMath.sin(a);
      double length = StrictMath.hypot(dx, dy);
      if (length < NEAR_METRES) {
        double direction = 4 * StrictMath.atan2(dy, dx);
        cos += length * StrictMath.cos(direction);
        sin += length * StrictMath.sin(direction);
      }
    }
    return -StrictMath.atan2(sin, cos) / 4;
  }

  /** Standard deviation of angles that count to a quarter turn, around their own mean. */
  private static double spreadDegrees(List<Double> angles) {
    double cos = angles.stream().mapToDouble(angle -> StrictMath.cos(4 * angle)).sum();
    double sin = angles.stream().mapToDouble(angle -> StrictMath.sin(4 * angle)).sum();
    double mean = StrictMath.atan2(sin, cos) / 4;
    double squares =
        angles.stream()
            .mapToDouble(angle -> StrictMath.IEEEremainder(angle - mean, QUARTER))
            .map(difference -> difference * difference)
            .sum();
    return StrictMath.toDegrees(StrictMath.sqrt(squares / angles.size()));
  }
}
