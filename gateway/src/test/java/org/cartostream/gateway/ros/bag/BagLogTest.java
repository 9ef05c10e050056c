package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.gateway.ros.scan.RosRefusal;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class BagLogTest {

  @TempDir private Path folder;

  @Test
  void saysWhatIsWrongWithAFileThatIsNoBag() throws Exception {
    Path text = Files.writeString(folder.resolve("text.bag"), "FLASER 3 1 2 3");
    assertThat(BagLog.format(Settings.defaults(RosSettings.class)).sniffer().takes(text)).isFalse();
    assertThatThrownBy(() -> BagLog.open(List.of(text), Settings.defaults(RosSettings.class)))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("no ROS bag of format 2.0");
    Path empty = Files.writeString(folder.resolve("empty.bag"), "#ROSBAG V2.0\n");
    assertThatThrownBy(() -> BagLog.open(List.of(empty), Settings.defaults(RosSettings.class)))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("has no sensor_msgs/LaserScan");
  }

  @Test
  void refusesScansThatWereCutShortWhileTheLaserStartedUp() throws Exception {
    Path bag = Files.write(folder.resolve("my.bag"), SmallBag.withTruncated(12, 3));
    BagEntries entries = BagEntries.of(bag);
    assertThat(entries.refusals()).hasSize(3).containsOnly(RosRefusal.TRUNCATED);
    assertThat(entries.readings()).hasSize(9).allMatch(reading -> reading.scan().beams() == 5);
    assertThat(entries.all().get(0).toString()).contains("2 beams").contains("5 beams");
  }
}
