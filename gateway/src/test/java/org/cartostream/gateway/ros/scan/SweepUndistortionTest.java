package org.cartostream.gateway.ros.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A robot that shakes its head by up to 1.7 rad/s while it drives through a room of 8 x 6 m, and
 * whose laser takes 0.18 s for a sweep: what its end points are off the walls, by the room's own
 * geometry.
 */
@Quick
class SweepUndistortionTest {

  private static final int BEAMS = 360;
  private static final float STEP = (float) (2 * Math.PI / BEAMS);
  private static final double SWEEP_SECONDS = 0.18;
  private static final float INCREMENT = (float) (SWEEP_SECONDS / BEAMS);
  private static final int PERIOD_MILLIS = 200;
  private static final int LAST_MILLIS = 12_000;
  private static final Pose MOUNT = new Pose(0.1, 0, 0);

  /** From here on it has been found out how the laser measures. */
  private static final long KNOWN_NANOS = 4_000_000_000L;

  private final FakeRobot robot = FakeRobot.withLaser(Settings.defaults(RosSettings.class));

  private static Pose truth(double seconds) {
    return new Pose(-1 + 0.15 * seconds, 0.3, StrictMath.sin(1.7 * seconds));
  }

  private static double range(Pose laser, double angle) {
    double cos = Math.cos(laser.theta() + angle);
    double sin = Math.sin(laser.theta() + angle);
    double toX = ((cos > 0 ? 4 : -4) - laser.x()) / cos;
    double toY = ((sin > 0 ? 3 : -3) - laser.y()) / sin;
    return Math.min(toX, toY);
  }

  private static double offWalls(double x, double y) {
    return Math.min(Math.abs(4 - Math.abs(x)), Math.abs(3 - Math.abs(y)));
  }

  /**
   * @param first the direction in which the sweep begins
   * @param sweptSeconds what it takes in truth; negative if it ends at its first beam
   */
  private static LaserScan scan(
      int millis, double first, int turn, double sweptSeconds, float increment, float scanTime) {
    float[] ranges = new float[BEAMS];
    for (int i = 0; i < BEAMS; i++) {
      double seconds = millis / 1000.0 + sweptSeconds * i / BEAMS;
      ranges[i] = (float) range(truth(seconds).then(MOUNT), first + turn * i * STEP);
    }
    return new LaserScan(
        new Header(0, millis * FakeRobot.MILLI, "laser"),
        (float) first,
        (float) first + turn * (BEAMS - 1) * STEP,
        turn * STEP,
        increment,
        scanTime,
        0.1f,
        12f,
        ranges,
        new float[0]);
  }

  private void drive(FakeRobot of, int turn, double swept, float increment, float scanTime) {
    for (int millis = 0; millis <= LAST_MILLIS; millis += 20) {
      of.tf(millis, millis, truth(millis / 1000.0));
      int at = millis - PERIOD_MILLIS; // As it comes when it is complete.
      if (at > 0 && at % PERIOD_MILLIS == 0) {
        LaserScan scan = scan(at, -Math.PI * turn, turn, swept, increment, scanTime);
        of.pairing.receive(scan, millis * FakeRobot.MILLI);
      }
    }
  }

  /** The worst of all readings' means, metres. */
  private static double worst(List<Reading> readings) {
    return readings.stream()
        .filter(reading -> reading.stampNanos() > KNOWN_NANOS)
        .mapToDouble(SweepUndistortionTest::meanOff)
        .max()
        .orElseThrow();
  }

  private static double meanOff(Reading reading) {
    Scan scan = reading.scan();
    Pose laser = reading.odometry().then(scan.mount());
    double sum = 0;
    int hits = 0;
    for (int i = 0; i < scan.beams(); i++) {
      if (scan.isHit(i)) {
        double angle = laser.theta() + scan.startAngle() + i * scan.angleStep();
        double range = scan.ranges()[i];
        sum += offWalls(laser.x() + range * Math.cos(angle), laser.y() + range * Math.sin(angle));
        hits++;
      }
    }
    assertThat(hits).isGreaterThan(BEAMS * 8 / 10);
    return sum / hits;
  }

  /** Half a step is 0.5 degrees, 4 cm sideways at the farthest corner, and less off a wall. */
  @ParameterizedTest(name = "turning {0}, time_increment {1}, scan_time {2}")
  @CsvSource({
    "1, 0.0005, 0.18",
    "1, 0.0005, 0",
    "1, 0, 0.18",
    "1, 0.5, 0.18",
    "-1, 0.0005, 0.18",
  })
  void seesAllEndPointsFromWhereTheFirstBeamWasMeasured(int turn, float increment, float scanTime) {
    drive(robot, turn, SWEEP_SECONDS, increment, scanTime);
    assertThat(robot.unused).isEmpty();
    assertThat(worst(robot.ready)).isLessThan(0.02);

    FakeRobot off =
        FakeRobot.withLaser(Settings.build(RosSettings.class, Map.of("undistortSweeps", "false")));
    drive(off, turn, SWEEP_SECONDS, increment, scanTime);
    assertThat(worst(off.ready)).as("as they are").isGreaterThan(0.1);
  }

  /** As of a driver that turns the beams round: the stamp is still that of the first one. */
  @Test
  void takesTheTimeOfTheFirstBeamThoughItIsTheLast() {
    drive(robot, 1, -SWEEP_SECONDS, -INCREMENT, 0.18f);
    assertThat(worst(robot.ready)).isLessThan(0.02);
  }

  /** As of simulators: all beams are measured at once. */
  @ParameterizedTest(name = "time_increment {0}, scan_time {1}")
  @CsvSource({"0.0005, 0.18", "0.0005, 0", "0, 0.18", "0.5, 0", "0, 0", "NaN, NaN", "0, -1"})
  void takesScansAsTheyAreThatFitSoWhateverTheDriverSays(float increment, float scanTime) {
    drive(robot, 1, 0, increment, scanTime);
    assertThat(robot.unused).isEmpty();
    int i = 0;
    for (Reading reading : robot.ready) {
      int millis = (int) (reading.stampNanos() / FakeRobot.MILLI);
      float[] ranges = scan(millis, -Math.PI, 1, 0, 0, 0).ranges();
      assertThat(reading.scan().ranges()).as("scan %d", i++).isEqualTo(ranges);
    }
  }

  @Test
  void saysWhatTimeIsNotBelieved() {
    drive(robot, 1, SWEEP_SECONDS, 0.5f, 0);
    assertThat(robot.notes)
        .containsExactly(
            "time_increment (0.5 s) is not believed: the scan's 360 beams would take 179.5 s, and a"
                + " scan comes each 0.200 s; so scans count as taken at once");
  }

  @Test
  void leavesAStandingRobotsScansAsTheyAre() {
    drive(robot, 1, SWEEP_SECONDS, INCREMENT, 0.18f);
    double there = LAST_MILLIS / 1000.0;
    for (int millis = LAST_MILLIS; millis < LAST_MILLIS + 1000; millis += 20) {
      robot.tf(millis, millis, truth(there));
    }
    robot.pairing.resetLast();
    LaserScan scan = scan(LAST_MILLIS + 400, -Math.PI, 1, 0, INCREMENT, 0.18f);
    robot.pairing.receive(scan, 0);
    assertThat(robot.ready.get(robot.ready.size() - 1).scan().ranges()).isSameAs(scan.ranges());
  }

  /**
   * Odometry ends in the midst of a sweep. It waits for it as for that of its stamp, and no longer.
   */
  @Test
  void takesAScanAsItIsWhereOdometryIsMissingAndSaysSoOnce() {
    drive(robot, 1, SWEEP_SECONDS, INCREMENT, 0.18f);
    int before = robot.ready.size();
    int wait = Settings.defaults(RosSettings.class).odometryWaitMillis();
    for (int at = LAST_MILLIS; at <= LAST_MILLIS + 200; at += 200) {
      robot.tf(at, at, truth(at / 1000.0));
      LaserScan scan = scan(at, -Math.PI, 1, SWEEP_SECONDS, INCREMENT, 0.18f);
      robot.pairing.receive(scan, at * FakeRobot.MILLI);
      assertThat(robot.ready).hasSize(before);
      robot.watch(at + wait);
      before++;
      assertThat(robot.ready).hasSize(before);
      assertThat(robot.ready.get(before - 1).scan().ranges()).isSameAs(scan.ranges());
    }
    assertThat(robot.notes)
        .singleElement()
        .asString()
        .contains("odometry does not span the sweep of a scan, which lasts 0.18 s");
  }
}
