package org.cartostream.slam.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.RecordedLogs;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.Test;

/**
 * How far the reference of the log {@code simbad-640}, which is its odometry, can be trusted.
 *
 * <p>In its room all walls are parallel or at right angles, and so each scan alone tells the
 * heading to a quarter turn, without map or odometry: the reference is off by more than a degree
 * from one scan to the next. In position the filter and the reference differ by 33 mm, and one
 * scan's difference says nothing of the next one's, though the robot moves on by 0.2 m only: maps,
 * and filters that drift in them, err alike there. So it is the reference that scatters, and a path
 * without any error would have an ATE of 0.03 m by it.
 */
class SquareRoomTest {

  private static final int READINGS = 120;

  /** What is common to neighbours may be this much: of 33 mm, that would be 14. */
  private static final double MOST_CORRELATION = 0.18;

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

  @Test
  void whatPositionsDifferByInOneScanSaysNothingOfTheNext() throws IOException {
    Map<String, String> values = Map.of("particles", "10");
    SerialFilter filter = new SerialFilter(Settings.build(FilterSettings.class, values), "robot");
    List<Pose> odometry = new ArrayList<>();
    try (LaserLog log = LaserLog.open(RecordedLogs.shared("simbad-640.clf"))) {
      for (Reading reading : log.readings(Integer.MAX_VALUE)) {
        odometry.add(reading.odometry());
        filter.process(odometry.size(), reading);
      }
    }
    List<Pose> filtered = filter.lineage().course().path().stream().map(PathPose::pose).toList();
    List<Pose> differences = differences(filtered, odometry);
    double scatter = correlation(differences, 0);
    assertThat(StrictMath.sqrt(scatter)).isGreaterThan(0.03);
    for (int lag = 1; lag <= 5; lag++) {
      assertThat(correlation(differences, lag) / scatter)
          .as("scans %d apart", lag)
          .isLessThan(MOST_CORRELATION);
    }
  }

  /** Between positions, after the rigid motion of the first that fits best. */
  private static List<Pose> differences(List<Pose> one, List<Pose> other) {
    Pose from = middle(one);
    Pose to = middle(other);
    double cos = 0;
    double sin = 0;
    for (int i = 0; i < one.size(); i++) {
      double x = one.get(i).x() - from.x();
      double y = one.get(i).y() - from.y();
      double toX = other.get(i).x() - to.x();
      double toY = other.get(i).y() - to.y();
      cos += x * toX + y * toY;
      sin += x * toY - y * toX;
    }
    double turn = StrictMath.atan2(sin, cos);
    Pose fit = new Pose(to.x(), to.y(), turn).then(new Pose(-from.x(), -from.y(), 0));
    List<Pose> differences = new ArrayList<>();
    for (int i = 0; i < one.size(); i++) {
      Pose moved = fit.then(one.get(i));
      Pose there = other.get(i);
      differences.add(new Pose(moved.x() - there.x(), moved.y() - there.y(), 0));
    }
    return differences;
  }

  private static Pose middle(List<Pose> path) {
    return new Pose(
        path.stream().mapToDouble(Pose::x).average().orElseThrow(),
        path.stream().mapToDouble(Pose::y).average().orElseThrow(),
        0);
  }

  /** Mean product of differences that are so many scans apart, square metres. */
  private static double correlation(List<Pose> differences, int lag) {
    double sum = 0;
    for (int i = lag; i < differences.size(); i++) {
      Pose one = differences.get(i - lag);
      Pose other = differences.get(i);
      sum += one.x() * other.x() + one.y() * other.y();
    }
    return sum / (differences.size() - lag);
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
