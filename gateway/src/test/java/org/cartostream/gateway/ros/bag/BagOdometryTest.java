package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.gateway.ros.scan.FakeRobot;
import org.cartostream.gateway.ros.scan.RosRefusal;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which odometry is taken from a bag that has several. */
@Quick
class BagOdometryTest {

  private static final int SCANS = 7;

  @TempDir private Path folder;

  private BagEntries entries(boolean alsoOnTf, String... topics) throws IOException {
    byte[] bag = SmallBag.withOdometry(SCANS, alsoOnTf, topics);
    return BagEntries.of(Files.write(folder.resolve("several.bag"), bag));
  }

  /** Scan i is of 0.1 (i + 1) s, where the robot has driven as many metres. */
  private static void assertAllAreFrom(double start, BagEntries entries) {
    assertThat(entries.readings()).hasSize(SCANS);
    for (int i = 0; i < SCANS; i++) {
      Reading reading = entries.readings().get(i);
      assertThat(reading.odometry().x()).isCloseTo(start + 0.1 * (i + 1), within(1e-6));
    }
  }

  @Test
  void takesTheOnlyOneWhateverItsName() throws Exception {
    assertAllAreFrom(0, entries(false, "/wheels"));
  }

  @Test
  void takesOdomOfSeveral() throws Exception {
    assertAllAreFrom(1000, entries(false, "/filtered", "/odom", "/wheels"));
  }

  @Test
  void refusesSeveralOfWhichNoneIsTheUsualAndNamesThem() {
    assertThatThrownBy(() -> entries(false, "/wheels", "/filtered"))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("[/filtered, /wheels]")
        .hasMessageContaining("none on /tf or /odom")
        .hasMessageContaining("ros.bagOdometryTopic");
  }

  @Test
  void needsNoneOfThemWhereTfHasIt() throws Exception {
    assertAllAreFrom(0, entries(true, "/wheels", "/filtered"));
  }

  /** A scan waits for it, though a live robot's would not. */
  @Test
  void waitsForTransformsThatWereRecordedLate() throws Exception {
    byte[] bag = SmallBag.withLateOdometry(30, 800);
    BagEntries entries = BagEntries.of(Files.write(folder.resolve("late.bag"), bag));
    for (int i = 9; i < 22; i++) {
      long stamp = 100 * (i + 1) * FakeRobot.MILLI;
      assertThat(entries.readings()).anyMatch(reading -> reading.stampNanos() == stamp);
    }
    assertThat(entries.refusals()).contains(RosRefusal.NO_ODOMETRY);
  }
}
