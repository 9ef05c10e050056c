package org.cartostream.slam.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.settings.Settings;
import org.cartostream.slam.eval.EvaluationException;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Default;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What is true of the log {@code simbad-640}, whose reference is its odometry. Its simulator
 * measures without noise in a square room, to the tenth of a millimetre, but from the robot's rim
 * and not from its middle. With the rim's radius added all walls are straight, and every scan tells
 * to a fraction of a millimetre where the robot was, without filter or odometry.
 *
 * <p>So it is seen what the reference is worth: the simulator has scattered it, each pose by
 * itself. A path without any error has an ATE of 0.0304 m by it.
 */
@Default(computes = true)
class SquareRoomAccuracyTest {

  private static final float RIM_METRES = 0.3f;

  /** The outer walls stand so far from the middle; every scan sees two that meet. */
  private static final double WALL_METRES = 8.85;

  /** A wall is at its place by odometry within this; the next is farther off. */
  private static final double NEAR_METRES = 0.3;

  private static final double ALONG_RADIANS = 0.005;

  /** Ends of beams so far apart in the scan make a piece of wall, if they are near each other. */
  private static final int APART = 4;

  private static final double PIECE_METRES = 0.6;

  private static final double QUARTER = StrictMath.PI / 2;

  /** From the end of one beam to that of another, in the robot's frame. */
  private record Piece(Pose middle, double direction) {}

  /** Where a scan has the robot, by each piece of an outer wall. */
  private record Place(double heading, List<Double> xs, List<Double> ys) {

    Pose pose() {
      return new Pose(median(xs), median(ys), heading);
    }

    /** By how much a piece of wall has it elsewhere, in the median. */
    double metresOff() {
      Pose pose = pose();
      return Math.max(
          median(xs.stream().map(x -> Math.abs(x - pose.x())).toList()),
          median(ys.stream().map(y -> Math.abs(y - pose.y())).toList()));
    }
  }

  private List<Reading> readings;
  private List<StampedPose> reference;
  private List<StampedPose> truth;

  @BeforeEach
  void readTheLog() throws IOException {
    try (LaserLog log =
        CarmenLog.open(TestFiles.publicLog("simbad-640.clf"), CarmenSettings.defaults())) {
      readings = log.readings(Integer.MAX_VALUE);
    }
    reference = readings.stream().map(r -> new StampedPose(r.stampNanos(), r.odometry())).toList();
    truth =
        readings.stream()
            .map(r -> new StampedPose(r.stampNanos(), placeByWalls(r, RIM_METRES).pose()))
            .toList();
  }

  @Test
  void wallsAreStraightIfRangesBeginAtTheRim() {
    assertThat(readings)
        .allSatisfy(
            reading ->
                assertThat(placeByWalls(reading, RIM_METRES).metresOff()).isLessThan(0.0002));
  }

  @Test
  void aPathWithoutErrorHasThreeCentimetresByTheReference() throws EvaluationException {
    TrajectoryError error = TrajectoryError.of(truth, reference);

    assertThat(error.rmseMetres()).isBetween(0.0303, 0.0305);
    assertThat(StrictMath.toDegrees(error.rotationRmseRadians())).isGreaterThan(1);
  }

  @Test
  void theFilterIsMuchNearerToTheTruth() throws EvaluationException {
    TrajectoryError error = TrajectoryError.of(filtered(), truth);

    assertThat(error.rmseMetres()).isLessThan(0.02);
    assertThat(StrictMath.toDegrees(error.rotationRmseRadians())).isLessThan(0.25);
  }

  private List<StampedPose> filtered() {
    Map<String, String> values = Map.of("particles", "30");
    SerialFilter filter = new SerialFilter(Settings.build(FilterSettings.class, values), "robot");
    for (int i = 0; i < readings.size(); i++) {
      filter.process(i + 1, readings.get(i));
    }
    return filter.trajectoryTree().bestPath().path().stream()
        .map(at -> new StampedPose(at.stampNanos(), at.pose()))
        .toList();
  }

  private static Scan farther(Scan scan, float metres) {
    float[] ranges = scan.ranges().clone();
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] += metres;
    }
    return scan.withRanges(ranges);
  }

  private static Place placeByWalls(Reading reading, float rim) {
    List<Piece> pieces = pieces(farther(reading.scan(), rim));
    double byOdometry = reading.odometry().theta();
    double heading =
        byOdometry - median(pieces.stream().map(p -> askew(byOdometry + p.direction)).toList());
    List<Double> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    for (Piece piece : pieces) {
      double direction = heading + piece.direction;
      if (Math.abs(askew(direction)) < ALONG_RADIANS) {
        Pose seen = new Pose(0, 0, heading).then(piece.middle);
        boolean alongX = Math.abs(StrictMath.cos(direction)) > 0.5;
        double way = alongX ? seen.y() : seen.x();
        double expected = way + (alongX ? reading.odometry().y() : reading.odometry().x());
        if (Math.abs(Math.abs(expected) - WALL_METRES) < NEAR_METRES) {
          (alongX ? ys : xs).add(Math.copySign(WALL_METRES, expected) - way);
        }
      }
    }
    return new Place(heading, xs, ys);
  }

  private static List<Piece> pieces(Scan scan) {
    return IntStream.range(0, scan.beams() - APART)
        .mapToObj(i -> new Pose[] {end(scan, i), end(scan, i + APART)})
        .filter(ends -> ends[0].distance(ends[1]) < PIECE_METRES)
        .map(
            ends ->
                new Piece(
                    ends[0].towards(ends[1], 0.5),
                    StrictMath.atan2(ends[1].y() - ends[0].y(), ends[1].x() - ends[0].x())))
        .toList();
  }

  private static Pose end(Scan scan, int beam) {
    double angle = scan.startAngle() + beam * scan.angleStep();
    double range = scan.ranges()[beam];
    return new Pose(range * StrictMath.cos(angle), range * StrictMath.sin(angle), 0);
  }

  /** By how much a direction is off the nearest quarter turn. */
  private static double askew(double direction) {
    return StrictMath.IEEEremainder(direction, QUARTER);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }
}
