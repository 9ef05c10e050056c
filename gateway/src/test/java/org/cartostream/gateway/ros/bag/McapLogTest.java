package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.cartostream.gateway.ros.scan.RosRefusal;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MCAP files that the format's own Python libraries wrote, see {@code mcap/make.py}. */
@Quick
class McapLogTest {

  @TempDir private Path folder;

  private Path log(String name) throws IOException {
    return write(name, bytes(name));
  }

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name + ".mcap"), bytes);
  }

  private static byte[] bytes(String name) throws IOException {
    try (InputStream in = McapLogTest.class.getResourceAsStream("mcap/" + name + ".mcap")) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "lz4", "zstd", "ros1"})
  void readsWhatTheLibrariesWrote(String name) throws Exception {
    assertThat(BagLog.format(Settings.defaults(RosSettings.class)).sniffer().takes(log(name)))
        .isTrue();
    BagEntries entries = BagEntries.of(log(name));
    List<Reading> readings = entries.readings();
    assertThat(entries.all()).hasSize(40);
    assertThat(readings).hasSize(38);
    Reading seventh = readings.get(6); // The sixth scan is blind.
    assertThat(seventh.stampNanos()).isEqualTo(100_700_000_000L);
    assertThat(seventh.odometry().x()).isCloseTo(7, within(1e-6));
    assertThat(seventh.scan().mount().x()).isEqualTo(0.25);
    assertThat(seventh.scan().beams()).isEqualTo(41);
    assertThat(seventh.scan().ranges()[0]).isInfinite();
    assertThat(seventh.scan().ranges()[40]).isEqualTo(1 + 7 / 64f + 40 / 1024f);
    assertThat(entries.refusals())
        .containsExactly(RosRefusal.ALL_BEAMS_INVALID, RosRefusal.NO_ODOMETRY);
  }

  /** As a robot leaves it whose battery was empty: the index at the end is missing, too. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "lz4", "zstd"})
  void readsALogThatIsCutOffAsFarAsItGoes(String name) throws Exception {
    byte[] whole = bytes(name);
    Path half = write("half", Arrays.copyOf(whole, whole.length / 2));
    assertThat(BagEntries.of(half).readings().size()).isBetween(5, 30);
  }

  @Test
  void saysWhatIsMissingInALogWithoutScans() throws Exception {
    Path empty = write("empty", Arrays.copyOf(bytes("none"), 8));
    assertThatThrownBy(() -> BagLog.open(List.of(empty), Settings.defaults(RosSettings.class)))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("has no sensor_msgs/LaserScan");
  }

  /** Whatever byte is wrong, it is an answer or a sentence. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "lz4", "zstd", "ros1"})
  void bearsEveryByteThatIsWrong(String name) throws Exception {
    byte[] whole = bytes(name);
    for (int at = 8; at < whole.length; at += 787) {
      byte[] bytes = whole.clone();
      bytes[at] ^= (byte) 0xff;
      Path damaged = write("damaged", bytes);
      try {
        BagEntries.of(damaged);
      } catch (FileFormatException | UncheckedIOException e) {
        assertThat(e).as("byte %d", at).hasMessageContaining("damaged.mcap");
      }
    }
  }
}
