package org.cartostream.gateway.ros.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.Vector3;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a scan, by what is known of odometry and frames. Times in milliseconds. */
@Quick
class ScanOdometrySyncTest {

  private static final RosSettings SETTINGS = Settings.defaults(RosSettings.class);

  private final FakeRobot fakeRobot = FakeRobot.withLaser(SETTINGS);

  @Test
  void interpolatesOdometryAtTheScansStamp() {
    fakeRobot.tf(1000, 1000, new Pose(1, 0, 0));
    fakeRobot.tf(1100, 1100, new Pose(2, 0, 0.4));
    fakeRobot.scan(1025, 1110);
    Reading reading = fakeRobot.ready.get(0);
    assertThat(reading.stampNanos()).isEqualTo(1_025_000_000L);
    assertThat(reading.odometry().x()).isCloseTo(1.25, within(1e-9));
    assertThat(reading.odometry().theta()).isCloseTo(0.1, within(1e-9));
    assertThat(reading.scan().mount().x()).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void waitsForOdometryThatComesLater() {
    fakeRobot.tf(1000, 1000, 1);
    fakeRobot.scan(1050, 1060);
    assertThat(fakeRobot.ready).isEmpty();
    fakeRobot.tf(1100, 1100, 2);
    assertThat(fakeRobot.ready).hasSize(1);
    assertThat(fakeRobot.unused).isEmpty();
  }

  @Test
  void waitsNoLongerThanItMay() {
    fakeRobot.tf(1000, 1000, 1);
    fakeRobot.scan(1050, 1060);
    fakeRobot.watch(1060 + SETTINGS.odometryWaitMillis() - 1);
    assertThat(fakeRobot.unused).isEmpty();
    fakeRobot.watch(1060 + SETTINGS.odometryWaitMillis());
    assertThat(fakeRobot.unused).hasSize(1);
  }

  @Test
  void letsScansLeaveInTheirOrder() {
    fakeRobot.tf(1000, 1000, 1);
    fakeRobot.scan(1050, 1060);
    fakeRobot.scan(1150, 1160);
    fakeRobot.tf(1100, 1170, 2);
    fakeRobot.tf(1200, 1200, 3);
    assertThat(fakeRobot.ready)
        .extracting(Reading::stampNanos)
        .containsExactly(1_050_000_000L, 1_150_000_000L);
  }

  @Test
  void saysThatThereIsNoOdometryAtAll() {
    fakeRobot.scan(1000, 1000);
    fakeRobot.watch(2000);
    assertThat(fakeRobot.onlyReason()).isEqualTo(RosRefusal.NO_ODOMETRY);
    assertThat(fakeRobot.unused.get(0).toString()).contains("/tf").contains("/odom");
  }

  @Test
  void saysThatOdometryHasStopped() {
    fakeRobot.tf(1000, 1000, 1);
    fakeRobot.scan(3000, 3000);
    fakeRobot.watch(4000);
    assertThat(fakeRobot.onlyReason()).isEqualTo(RosRefusal.NO_ODOMETRY);
    assertThat(fakeRobot.unused.get(0).detail())
        .isEqualTo("the last is 2.00 s older than the scan");
  }

  @Test
  void saysThatTheLasersClockIsAhead() {
    for (int i = 0; i < 20; i++) {
      fakeRobot.tf(1000 + 100 * i, 1000 + 100 * i, i);
    }
    fakeRobot.scan(5500, 2910);
    for (int i = 20; i < 30; i++) {
      fakeRobot.tf(1000 + 100 * i, 1000 + 100 * i, i);
    }
    assertThat(fakeRobot.onlyReason()).isEqualTo(RosRefusal.CLOCK_SKEW);
    assertThat(fakeRobot.unused.get(0).detail()).startsWith("2.00 s ahead");
  }

  @Test
  void saysThatAStampIsTooOld() {
    fakeRobot.tf(100_000, 1000, 1);
    fakeRobot.scan(98_500, 1010);
    assertThat(fakeRobot.onlyReason()).isEqualTo(RosRefusal.STAMP_TOO_OLD);
    assertThat(fakeRobot.unused.get(0).detail()).startsWith("1.50 s before");
  }

  @ParameterizedTest
  @CsvSource({
    "1100, 0.05 s before the scan that came before it",
    "1150, it has the same stamp as the scan before it"
  })
  void saysThatAScanIsNoNewerThanTheOneBefore(long stamp, String detail) {
    fakeRobot.tf(1000, 1000, 1);
    fakeRobot.tf(1200, 1200, 2);
    fakeRobot.scan(1150, 1210);
    fakeRobot.scan(stamp, 1220);
    assertThat(fakeRobot.onlyReason()).isEqualTo(RosRefusal.STAMP_TOO_OLD);
    assertThat(fakeRobot.unused.get(0).detail()).isEqualTo(detail);
  }

  @Test
  void saysThatADriverDoesNotStamp() {
    fakeRobot.tf(0, 1000, 1);
    fakeRobot.scan(0, 1010);
    fakeRobot.scan(0, 1020);
    assertThat(fakeRobot.onlyReason()).isEqualTo(RosRefusal.STAMP_TOO_OLD);
    assertThat(fakeRobot.unused.get(0).detail()).startsWith("its stamp is 0");
  }

  @Test
  void saysOnceThatTheMountIsOfAFrameThatNoScanHas() {
    FakeRobot typo = FakeRobot.withLaser(Settings.with(SETTINGS, Map.of("mount.frame", "lase")));
    typo.tf(1000, 1000, 1);
    typo.tf(1200, 1200, 2);
    typo.scan(1050, 1210);
    typo.scan(1100, 1220);
    assertThat(typo.notes)
        .containsExactly(
            "scans come with the frame 'laser', and ros.mount.frame names 'lase': of these it says"
                + " nothing");
  }

  /** The robot stands: nothing moves yet. */
  @Test
  void saysWhichFrameCouldBeTheBase() {
    FakeRobot other =
        FakeRobot.withLaser(Settings.with(SETTINGS, Map.of("baseFrame", "base_footprint")));
    other.tf(1000, 1000, 1);
    other.tf(1100, 1100, 1);
    other.scan(1050, 1110);
    other.watch(1700);
    assertThat(other.onlyReason()).isEqualTo(RosRefusal.NO_TRANSFORM);
    assertThat(other.unused.get(0).detail())
        .endsWith("; odometry leads to 'base_link': ros.baseFrame could name it");
  }

  @Test
  void bridgesNoLongSilenceOfOdometry() {
    fakeRobot.tf(1000, 1000, 1);
    fakeRobot.tf(2500, 2500, 9);
    fakeRobot.scan(1500, 2510);
    assertThat(fakeRobot.onlyReason()).isEqualTo(RosRefusal.NO_ODOMETRY);
    assertThat(fakeRobot.unused.get(0).detail()).contains("1.50 s around its stamp");
  }

  @Test
  void saysThatNobodyTellsWhereTheLaserIs() {
    FakeRobot bare = new FakeRobot(SETTINGS);
    bare.tf(1000, 1000, 1);
    bare.tf(1100, 1100, 2);
    bare.scan(1050, 1110);
    bare.watch(1700);
    assertThat(bare.onlyReason()).isEqualTo(RosRefusal.NO_TRANSFORM);
    assertThat(bare.unused.get(0).detail()).contains("no transform names 'laser'");
  }

  @Test
  void takesTheTopicWhereTfHasNoOdometry() {
    fakeRobot.topic(1000, 1000, 1, "odom", "base_link");
    fakeRobot.topic(1100, 1100, 2, "odom", "base_link");
    fakeRobot.scan(1050, 1110);
    fakeRobot.watch(1110 + SETTINGS.odometryWaitMillis());
    assertThat(fakeRobot.ready).hasSize(1);
    assertThat(fakeRobot.ready.get(0).odometry().x()).isCloseTo(1.5, within(1e-9));
    assertThat(fakeRobot.pairing.odometryName()).isEqualTo("/odom");
    fakeRobot.topic(1200, 1200, 3, "odom", "base_link");
    fakeRobot.scan(1150, 1210);
    assertThat(fakeRobot.ready).as("the choice is made: no more waiting").hasSize(2);
  }

  @Test
  void neverMixesTheTwoSources() {
    fakeRobot.tf(1000, 1000, 1);
    fakeRobot.tf(1100, 1100, 2);
    fakeRobot.scan(1050, 1110);
    fakeRobot.topic(2000, 2000, 7, "odom", "base_link");
    fakeRobot.topic(2100, 2100, 8, "odom", "base_link");
    fakeRobot.scan(2050, 2110);
    fakeRobot.watch(9000);
    assertThat(fakeRobot.ready).hasSize(1);
    assertThat(fakeRobot.onlyReason()).isEqualTo(RosRefusal.NO_ODOMETRY);
  }

  @Test
  void namesAnOdometryFrameThatIsAnother() {
    fakeRobot.topic(1000, 1000, 1, "odom_combined", "base_link");
    fakeRobot.scan(1000, 1000);
    fakeRobot.watch(2000);
    assertThat(fakeRobot.unused.get(0).toString())
        .contains("on /odom the frame is 'odom_combined'");
  }

  @Test
  void takesAMessageThatNamesNoFrameForOdometry() {
    fakeRobot.topic(1000, 1000, 1, "", "");
    fakeRobot.topic(1100, 1100, 2, "", "");
    fakeRobot.scan(1050, 1110);
    fakeRobot.watch(2000);
    assertThat(fakeRobot.ready.get(0).odometry().x()).isCloseTo(1.5, within(1e-9));
  }

  /** As of a driver that fills in the position alone. */
  @Test
  void saysThatAQuaternionIsNone() {
    Quaternion none = new Quaternion(0, 0, 0, 0);
    fakeRobot.pairing.receive(
        FakeRobot.odometry(1000, new RigidTransform(Vector3.ZERO, none)), 1000);
    fakeRobot.scan(1000, 1000);
    fakeRobot.watch(2000);
    assertThat(fakeRobot.unused.get(0).detail())
        .contains("on /odom is no pose")
        .contains("quaternion (0.0, 0.0, 0.0, 0.0), which must be of length 1");

    FakeRobot bare = new FakeRobot(SETTINGS);
    bare.mount(new RigidTransform(Vector3.ZERO, none));
    bare.scan(1000, 1000);
    bare.watch(2000);
    assertThat(bare.unused.get(0).detail())
        .contains("from 'base_link' to 'laser' comes")
        .contains("must be of length 1");
  }

  /** Odometry is fused, and another SLAM's map is above it. */
  @Test
  void saysInWhichFrameTheBaseMovesInstead() {
    fakeRobot.pairing.receive(tf("odom_combined", "base_footprint"), false, 1000);
    fakeRobot.pairing.receive(tf("map", "odom_combined"), false, 1000);
    fakeRobot.pairing.receive(tf("base_footprint", "base_link"), true, 1000);
    fakeRobot.scan(1000, 1000);
    fakeRobot.watch(2000);
    assertThat(fakeRobot.unused.get(0).detail())
        .contains("'base_link' moves in 'odom_combined'")
        .contains("ros.odomFrame");
  }

  /** A setting that names it would have the robot stand still. */
  @Test
  void doesNotNameAFrameInWhichTheBaseIsFixed() {
    fakeRobot.pairing.receive(tf("base_footprint", "base_link"), true, 1000);
    fakeRobot.scan(1000, 1000);
    fakeRobot.watch(2000);
    assertThat(fakeRobot.unused.get(0).detail()).doesNotContain("base_footprint");
  }

  private static TfMessage tf(String parent, String child) {
    return new TfMessage(
        List.of(FakeRobot.transform(parent, child, 1000, RigidTransform.IDENTITY)));
  }

  @Test
  void namesAChildFrameOfOdometryThatNobodyKnows() {
    fakeRobot.topic(1000, 1000, 1, "odom", "wheels");
    fakeRobot.scan(1000, 1000);
    fakeRobot.watch(2000);
    assertThat(fakeRobot.unused.get(0).detail())
        .isEqualTo(
            "nothing leads from 'odom' to 'base_link'; on /odom the child frame is 'wheels', and"
                + " nothing leads from 'wheels' to 'base_link'");
  }

  /** Though transforms lead to the base: they are not asked. */
  @Test
  void namesWhatIsWrongWithTheTopicThatIsNamed() {
    FakeRobot asked =
        FakeRobot.withLaser(SETTINGS, new OdometrySource.Topics("/tf", "/filtered", true));
    asked.tf(1000, 1000, 1);
    asked.scan(1000, 1000);
    asked.watch(2000);
    assertThat(asked.unused.get(0).detail()).isEqualTo("no message on /filtered");
    asked.topic(2000, 2000, 1, "odom", "wheels");
    asked.scan(2000, 2000);
    asked.watch(3000);
    assertThat(asked.unused.get(1).detail())
        .isEqualTo(
            "on /filtered the child frame is 'wheels', and nothing leads from 'wheels' to"
                + " 'base_link'");
  }

  @Test
  void namesTheTopicsAsTheyAreRemapped() {
    FakeRobot remapped =
        FakeRobot.withLaser(SETTINGS, new OdometrySource.Topics("/r1/tf", "/r1/wheels", false));
    remapped.scan(1000, 1000);
    remapped.watch(2000);
    assertThat(remapped.unused.get(0).detail())
        .isEqualTo("neither a transform from 'odom' on /r1/tf nor a message on /r1/wheels");
    remapped.topic(2000, 2000, 1, "odom", "base_link");
    remapped.topic(2100, 2100, 2, "odom", "base_link");
    remapped.scan(2050, 2110);
    remapped.watch(3000);
    assertThat(remapped.pairing.odometryName()).isEqualTo("/r1/wheels");
  }

  @Test
  void leavesOutScansOfARobotThatStands() {
    fakeRobot.tf(1000, 1000, 1);
    fakeRobot.tf(1100, 1100, 1.001);
    fakeRobot.scan(1010, 1110);
    fakeRobot.scan(1090, 1110);
    assertThat(fakeRobot.ready).hasSize(1);
    assertThat(fakeRobot.onlyReason()).isEqualTo(RosRefusal.TOO_LITTLE_MOVEMENT);
    fakeRobot.tf(1200, 1200, new Pose(1.001, 0, 0.05));
    fakeRobot.scan(1190, 1210);
    assertThat(fakeRobot.ready).as("it has turned").hasSize(2);
  }

  @Test
  void sendsAStandingRobotsScansFromTimeToTimeIfAsked() {
    FakeRobot asked =
        FakeRobot.withLaser(
            Settings.build(RosSettings.class, Map.of("temporalUpdateSeconds", "0.5")));
    for (int i = 0; i <= 10; i++) {
      asked.tf(1000 + 100 * i, 1000 + 100 * i, 1);
    }
    for (int i = 0; i <= 10; i++) {
      asked.scan(1000 + 100 * i, 2100);
    }
    assertThat(asked.ready)
        .extracting(Reading::stampNanos)
        .containsExactly(1_000_000_000L, 1_500_000_000L, 2_000_000_000L);
  }

  @Test
  void takesOnlyEveryThirdScanIfAsked() {
    FakeRobot asked =
        FakeRobot.withLaser(Settings.build(RosSettings.class, Map.of("throttleScans", "3")));
    asked.tf(1000, 1000, 0);
    asked.tf(1900, 1900, 9);
    for (int i = 0; i < 9; i++) {
      asked.scan(1000 + 100 * i, 2000);
    }
    assertThat(asked.ready).hasSize(3);
    assertThat(asked.unused).hasSize(6).allMatch(why -> why.refusal() == RosRefusal.THROTTLED);
  }

  @Test
  void keepsABoundedNumberOfScansWaiting() {
    for (int i = 0; i < SETTINGS.waitingScans() + 3; i++) {
      fakeRobot.scan(1000 + i, 1000 + i);
    }
    assertThat(fakeRobot.unused)
        .hasSize(3)
        .allMatch(why -> why.refusal() == RosRefusal.TOO_MANY_WAITING);
  }

  /** As when a bag is played a second time. */
  @Test
  void goesOnWhenTheRobotsClockIsSetBack() {
    fakeRobot.tf(100_000, 1000, 1);
    fakeRobot.tf(100_100, 1100, 2);
    fakeRobot.scan(100_050, 1110);
    fakeRobot.tf(1000, 2000, 5);
    fakeRobot.tf(1100, 2100, 6);
    fakeRobot.scan(1050, 2110);
    assertThat(fakeRobot.ready).hasSize(2);
    assertThat(fakeRobot.ready.get(1).odometry().x()).isCloseTo(5.5, within(1e-9));
  }
}
