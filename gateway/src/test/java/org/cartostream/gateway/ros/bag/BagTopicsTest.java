package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.cartostream.gateway.ros.scan.RosRefusal;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which topics of a bag are heard, where it has several of a kind. */
@Quick
class BagTopicsTest {

  private static final int SCANS = 7;

  @TempDir private Path folder;

  private static RosSettings with(String key, String topic) {
    return Settings.build(RosSettings.class, Map.of(key, topic));
  }

  private Path lasers(String... topics) throws IOException {
    return Files.write(folder.resolve("my.bag"), SmallBag.withLasers(SCANS, topics));
  }

  private Path odometries(boolean alsoOnTf, String... topics) throws IOException {
    byte[] bag = SmallBag.withOdometry(SCANS, alsoOnTf, topics);
    return Files.write(folder.resolve("my.bag"), bag);
  }

  private static List<String> notices(Path bag, RosSettings settings) throws IOException {
    try (BagLog log = BagLog.open(List.of(bag), settings)) {
      return log.notices();
    }
  }

  private static void assertAllHave(int beams, BagEntries entries) {
    assertThat(entries.readings())
        .hasSize(SCANS)
        .allSatisfy(reading -> assertThat(reading.scan().beams()).isEqualTo(beams));
  }

  /** Scan i is of 0.1 (i + 1) s, where the robot has driven as many metres. */
  private static void assertAllAreFrom(double start, BagEntries entries) {
    assertThat(entries.readings()).hasSize(SCANS);
    for (int i = 0; i < SCANS; i++) {
      Reading reading = entries.readings().get(i);
      assertThat(reading.odometry().x()).isCloseTo(start + 0.1 * (i + 1), within(1e-6));
    }
  }

  @ParameterizedTest
  @CsvSource({"/front, 5", "/rear, 6", "rear, 6"})
  void takesTheLaserThatIsNamed(String topic, int beams) throws Exception {
    Path bag = lasers("/front", "/rear");

    assertAllHave(beams, BagEntries.of(bag, with("bagScanTopic", topic)));
    assertThat(notices(bag, with("bagScanTopic", topic))).isEmpty();
  }

  @Test
  void takesTheLaserThatIsNamedThoughAnotherHasTheUsualName() throws Exception {
    Path bag = lasers("/scan", "/rear");

    assertAllHave(6, BagEntries.of(bag, with("bagScanTopic", "/rear")));
    assertAllHave(5, BagEntries.of(bag));
    assertThat(notices(bag, Settings.defaults(RosSettings.class)))
        .containsExactly(
            "of the lasers on [/rear, /scan] the one on /scan is taken; the setting"
                + " ros.bagScanTopic names another");
  }

  @Test
  void saysWhatThereIsWhereNoLaserIs() throws Exception {
    Path bag = lasers();

    assertThatThrownBy(() -> BagEntries.of(bag))
        .isInstanceOf(FileFormatException.class)
        .hasMessageEndingWith(
            "my.bag has no sensor_msgs/LaserScan messages; what it has is on [/tf, /tf_static]");
  }

  @Test
  void refusesSeveralLasersOfWhichNoneIsNamedOrUsualAndNamesThemAndTheSetting() throws Exception {
    Path bag = lasers("/front", "/rear");

    assertThatThrownBy(() -> BagEntries.of(bag))
        .isInstanceOf(FileFormatException.class)
        .hasMessageEndingWith(
            "my.bag has the scans of several lasers, [/front, /rear], and none on /scan; name the"
                + " one to take, as by --set ros.bagScanTopic=/front");
  }

  @Test
  void refusesAMountOfAFrameThatNoScanHas() throws Exception {
    Path bag = lasers("/scan");

    assertThatThrownBy(() -> BagEntries.of(bag, with("mount.frame", "lase")))
        .isInstanceOf(FileFormatException.class)
        .hasMessageEndingWith(
            "my.bag: no scan has the frame 'lase' that ros.mount.frame names; they have 'laser'");
    assertThat(notices(bag, with("mount.frame", "laser")))
        .singleElement(STRING)
        .endsWith("as ros.mount says");
    assertThat(notices(bag, with("mount.frame", "*"))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/left", "/tf", "/fron"})
  void refusesALaserThatIsNotThereAndNamesThoseThatAre(String topic) throws Exception {
    Path bag = lasers("/front", "/rear");

    assertThatThrownBy(() -> BagEntries.of(bag, with("bagScanTopic", topic)))
        .isInstanceOf(FileFormatException.class)
        .hasMessageEndingWith(
            "my.bag has no laser scans on '"
                + topic
                + "', which the setting ros.bagScanTopic names; there are some on [/front, /rear]");
  }

  @ParameterizedTest
  @CsvSource({
    "false, /wheels, 0",
    "false, /filtered, 1000",
    "false, filtered, 1000",
    "true, /filtered, 1000",
    "true, /tf, 0",
  })
  void takesTheOdometryThatIsNamed(boolean alsoOnTf, String topic, double start) throws Exception {
    Path bag = odometries(alsoOnTf, "/wheels", "/filtered");

    assertAllAreFrom(start, BagEntries.of(bag, with("bagOdometryTopic", topic)));
    assertThat(notices(bag, with("bagOdometryTopic", topic))).isEmpty();
  }

  /** The robot's own, though one on /odom is heard where nobody says anything. */
  @Test
  void takesTheOdometryThatIsNamedThoughAnotherHasTheUsualName() throws Exception {
    Path bag = odometries(false, "/wheels", "/odom");

    assertAllAreFrom(1000, BagEntries.of(bag));
    assertAllAreFrom(0, BagEntries.of(bag, with("bagOdometryTopic", "/wheels")));
  }

  @Test
  void saysWhichOfSeveralOdometriesItTook() throws Exception {
    assertThat(notices(odometries(true, "/odom", "/wheels"), Settings.defaults(RosSettings.class)))
        .containsExactly(
            "of the odometries on [/odom, /tf, /wheels] the one on /tf, or else /odom is taken; the"
                + " setting ros.bagOdometryTopic names another");
    assertThat(notices(odometries(true, "/odom"), Settings.defaults(RosSettings.class))).isEmpty();
  }

  private Path transforms(List<String> topics, String... odometries) throws IOException {
    byte[] bag = SmallBag.withTransforms(SCANS, topics, odometries);
    return Files.write(folder.resolve("my.bag"), bag);
  }

  /** As of two robots whose frames have the same names. */
  @ParameterizedTest
  @CsvSource({"/robot1/tf, 0", "/robot2/tf, 1000", "robot2/tf, 1000", "/odom, 0"})
  void takesTheTransformsThatAreNamedAndNoOthers(String topic, double start) throws Exception {
    Path bag = transforms(List.of("/robot1/tf", "/robot2/tf"), "/odom");

    assertAllAreFrom(start, BagEntries.of(bag, with("bagOdometryTopic", topic)));
    assertThat(notices(bag, with("bagOdometryTopic", topic))).isEmpty();
  }

  @Test
  void takesTfOfSeveralTopicsOfTransformsAndSaysSo() throws Exception {
    Path bag = transforms(List.of("/robot1/tf", "/tf"));

    assertAllAreFrom(1000, BagEntries.of(bag));
    assertThat(notices(bag, Settings.defaults(RosSettings.class)))
        .containsExactly(
            "of the odometries on [/robot1/tf, /tf] the one on /tf is taken; the setting"
                + " ros.bagOdometryTopic names another");
  }

  @Test
  void refusesSeveralTopicsOfTransformsOfWhichNoneIsNamedOrUsual() throws Exception {
    Path bag = transforms(List.of("/robot1/tf", "/robot2/tf"), "/odom");

    assertThatThrownBy(() -> BagEntries.of(bag))
        .isInstanceOf(FileFormatException.class)
        .hasMessageEndingWith(
            "my.bag has several odometries, [/odom, /robot1/tf, /robot2/tf], and none on /tf; name"
                + " the one to take, as by --set ros.bagOdometryTopic=/odom");
  }

  @Test
  void namesTheTopicOfTransformsThatItTook() throws Exception {
    Path bag = transforms(List.of("/robot1/tf"), "/wheels", "/filtered");

    assertAllAreFrom(0, BagEntries.of(bag));
    assertThat(notices(bag, Settings.defaults(RosSettings.class)))
        .containsExactly(
            "of the odometries on [/filtered, /robot1/tf, /wheels] the one on /robot1/tf is taken;"
                + " the setting ros.bagOdometryTopic names another");
  }

  @Test
  void refusesAnOdometryThatIsNotThereAndNamesThoseThatAre() throws Exception {
    Path several = odometries(true, "/wheels", "/filtered");
    assertThatThrownBy(() -> BagEntries.of(several, with("bagOdometryTopic", "/odom")))
        .isInstanceOf(FileFormatException.class)
        .hasMessageEndingWith(
            "my.bag has no odometry on '/odom', which the setting ros.bagOdometryTopic names;"
                + " there are some on [/filtered, /tf, /wheels]");

    Path none = odometries(false);
    assertThatThrownBy(() -> BagEntries.of(none, with("bagOdometryTopic", "/odom")))
        .isInstanceOf(FileFormatException.class)
        .hasMessageEndingWith("names; there is none at all");
  }

  /** Its frame is another than that of the settings: nothing of it can be used. */
  @Test
  void saysWhatIsWrongWithTheOdometryThatIsNamed() throws Exception {
    RosSettings settings =
        Settings.build(
            RosSettings.class, Map.of("bagOdometryTopic", "/wheels", "odomFrame", "earth"));
    Path bag = odometries(false, "/wheels", "/filtered");

    BagEntries entries = BagEntries.of(bag, settings);

    assertThat(entries.refusals()).hasSize(SCANS).containsOnly(RosRefusal.NO_ODOMETRY);
    assertThat(entries.all().get(0).toString())
        .contains("no message on /wheels; on /wheels the frame is 'odom'");
  }
}
