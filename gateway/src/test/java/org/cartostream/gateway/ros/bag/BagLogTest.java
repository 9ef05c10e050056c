package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.slam.file.FileFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BagLogTest {

  @TempDir private Path folder;

  @Test
  void saysWhatIsWrongWithAFileThatIsNoBag() throws Exception {
    Path text = Files.writeString(folder.resolve("text.bag"), "FLASER 3 1 2 3");
    assertThat(BagLog.isBag(text)).isFalse();
    assertThatThrownBy(() -> BagLog.open(text, RosSettings.defaults()))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("no ROS bag of format 2.0");
    Path empty = Files.writeString(folder.resolve("empty.bag"), "#ROSBAG V2.0\n");
    assertThatThrownBy(() -> BagLog.open(empty, RosSettings.defaults()))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("has no sensor_msgs/LaserScan");
  }
}
