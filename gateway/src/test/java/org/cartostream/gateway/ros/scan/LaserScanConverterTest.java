package org.cartostream.gateway.ros.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.Transform;
import org.cartostream.ros.message.Vector3;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class LaserScanConverterTest {

  private final LaserScanConverter reader = new LaserScanConverter(0);

  private static LaserScan scan(
      float min, float max, float step, float near, float far, int beams) {
    float[] ranges = new float[beams];
    java.util.Arrays.fill(ranges, 2);
    return new LaserScan(
        FakeRobot.scan(0, 1f).header(), min, max, step, 0, 0, near, far, ranges, new float[0]);
  }

  private RosRefusal reason(LaserScan scan) {
    Refusal.Reason why = reader.unusable(scan);
    return why == null ? null : (RosRefusal) why.refusal();
  }

  @Test
  void refusesAScanOfNothingButNan() {
    assertThat(reason(FakeRobot.scan(0, Float.NaN, Float.NaN)))
        .isEqualTo(RosRefusal.ALL_BEAMS_INVALID);
    assertThat(reason(FakeRobot.scan(0, 0.01f, 8f, Float.NEGATIVE_INFINITY)))
        .isEqualTo(RosRefusal.ALL_BEAMS_INVALID);
    assertThat(reason(FakeRobot.scan(0, 0.01f, 8f, Float.POSITIVE_INFINITY))).isNull();
    assertThat(reason(FakeRobot.scan(0, Float.NaN, 1f))).isNull();
  }

  @Test
  void refusesIncrementsThatDoNotFitTheNumberOfRanges() {
    assertThat(reason(scan(-1, 1, 0.1f, 0, 8, 40))).isEqualTo(RosRefusal.BAD_ANGLES);
    assertThat(reason(scan(-1, 1, 0, 0, 8, 21))).isEqualTo(RosRefusal.BAD_ANGLES);
    assertThat(reason(scan(-1, 1, Float.NaN, 0, 8, 21))).isEqualTo(RosRefusal.BAD_ANGLES);
    assertThat(reason(scan(Float.NaN, 1, 0.1f, 0, 8, 21))).isEqualTo(RosRefusal.BAD_ANGLES);
    assertThat(reader.unusable(scan(-1, 1, 0.1f, 0, 8, 40)).detail())
        .isEqualTo("40 ranges from -1.0 to 1.0 rad in steps of 0.1");
  }

  /** A TurtleBot3's laser says 0 to 6.28 in 360 steps of a degree: one step more than it has. */
  @Test
  void takesTheWaysInWhichDriversCount() {
    float degree = (float) Math.toRadians(1);
    assertThat(reason(scan(0, 6.28f, degree, 0.12f, 3.5f, 360))).isNull();
    assertThat(reason(scan(-1, 1, 0.1f, 0, 8, 21))).isNull();
    assertThat(reason(scan(1, -1, -0.1f, 0, 8, 21))).isNull();
  }

  /** As {@code velodyne_laserscan} makes it of any resolution: whole steps, and all of a turn. */
  @ParameterizedTest
  @ValueSource(doubles = {0.007, 0.0061, 0.0123, 0.01745, 0.1})
  void takesTheTurnOfAVelodyne(double resolution) {
    float pi = (float) Math.PI;
    int beams = (int) (2 * Math.PI / resolution);
    assertThat(reason(scan(-pi, pi, (float) resolution, 0, 200, beams))).isNull();
    assertThat(reason(scan(-pi, pi, (float) resolution, 0, 200, beams - 2)))
        .isEqualTo(RosRefusal.BAD_ANGLES);
  }

  @Test
  void refusesLimitsThatMakeNoSense() {
    assertThat(reason(scan(-1, 1, 0.1f, 5, 1, 21))).isEqualTo(RosRefusal.BAD_RANGE_LIMITS);
    assertThat(reason(scan(-1, 1, 0.1f, 0, Float.NaN, 21))).isEqualTo(RosRefusal.BAD_RANGE_LIMITS);
    assertThat(reason(FakeRobot.scan(0))).isEqualTo(RosRefusal.NO_BEAMS);
  }

  /** A beam to the laser's left meets the world on the base's right. */
  @Test
  void turnsTheBeamsOfALaserOnItsHead() {
    Scan upright =
        reader.read(FakeRobot.scan(0, 1, 2, 3), RigidTransform.of(new Pose(0.1, 0, 0.3)));
    Scan onItsHead = reader.read(FakeRobot.scan(0, 1, 2, 3), FakeRobot.turned(Math.PI, 1, 0, 0));
    assertThat(upright.startAngle()).isEqualTo(-0.5);
    assertThat(upright.mount().theta()).isCloseTo(0.3, within(1e-9));
    assertThat(onItsHead.startAngle()).isEqualTo(0.5);
    assertThat(onItsHead.angleStep()).isEqualTo(-0.5);
    assertThat(onItsHead.mount().theta()).isCloseTo(0, within(1e-9));
  }

  @Test
  void refusesALaserAtASlant() {
    assertThat(LaserScanConverter.unusable(FakeRobot.turned(Math.toRadians(30), 0, 1, 0)).detail())
        .isEqualTo("its z axis leans by 30 degrees");
    assertThat(LaserScanConverter.unusable(FakeRobot.turned(Math.toRadians(1), 0, 1, 0))).isNull();
    assertThat(LaserScanConverter.unusable(FakeRobot.turned(Math.PI, 1, 0, 0))).isNull();
  }

  /** As people write it into a launch file: z of sine, w of cosine, to two digits. */
  @Test
  void takesALevelLaserWhoseRotationIsRounded() {
    Transform written = new Transform(new Vector3(1, 0, 0), new Quaternion(0, 0, 0.38, 0.92));
    RigidTransform mount = RigidTransform.of(written);
    assertThat(LaserScanConverter.unusable(mount)).isNull();
    assertThat(RigidTransform.of(new RosPose(written.translation(), written.rotation())))
        .isEqualTo(mount);
    assertThat(mount.then(mount).planar().x())
        .isCloseTo(1 + Math.cos(2 * Math.atan2(0.38, 0.92)), within(1e-12));
    Quaternion zero = new Quaternion(0, 0, 0, 0);
    assertThat(RigidTransform.of(new Transform(Vector3.ZERO, zero)).isValid()).isFalse();
  }

  @Test
  void cutsRangesOffWhereAsked() {
    Scan scan =
        new LaserScanConverter(2.5).read(FakeRobot.scan(0, 1, 2, 3), RigidTransform.IDENTITY);
    assertThat(scan.isHit(1)).isTrue();
    assertThat(scan.isMiss(2)).isTrue();
  }

  /** 5.6 is no float: a range of that is less than the limit, or not, by how they are compared. */
  @Test
  void whatEndsWhereItIsCutOffMetNothingForCertain() {
    LaserScanConverter reader = new LaserScanConverter(5.6);
    LaserScan open = FakeRobot.scan(0, 5.6f, 5.5f, 6, Float.NaN);
    assertThat(reader.unusable(open)).isNull();
    assertThat(reader.read(open, RigidTransform.IDENTITY).ranges())
        .containsExactly(Float.POSITIVE_INFINITY, 5.5f, Float.POSITIVE_INFINITY, Float.NaN);
    assertThat(new LaserScanConverter(0).read(open, RigidTransform.IDENTITY).ranges())
        .as("a code of the laser's, where nobody says how far it sees")
        .containsExactly(5.6f, 5.5f, 6, Float.NaN);
  }
}
