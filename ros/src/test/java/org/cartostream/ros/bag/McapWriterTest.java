package org.cartostream.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.RosLog;
import org.cartostream.ros.message.RosString;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Read by our own reader; other programs read such files in {@code RecordingAccuracyTest}. */
@Quick
class McapWriterTest {

  private static final int SCANS = 3000;

  @TempDir private Path folder;

  private static LaserScan scan(int i) {
    float[] ranges = new float[361];
    Random random = new Random(i);
    for (int beam = 0; beam < ranges.length; beam++) {
      ranges[beam] = random.nextFloat();
    }
    return new LaserScan(
        new Header(0, stamp(i), "laser"), -1, 1, 0.01f, 0, 0, 0, 30, ranges, new float[0]);
  }

  private static long stamp(int i) {
    return 1_700_000_000_000_000_000L + i * 100_000_000L;
  }

  /** Some chunks, of which the last may not be ended. */
  private Path written(boolean ends) throws IOException {
    Path file = folder.resolve("run.mcap");
    McapWriter writer = McapWriter.create(file, "a test");
    McapWriter.Channel scans = writer.topic("/scan", LaserScan.TYPE, TopicQos.RELIABLE);
    McapWriter.Channel counters = writer.topic("/counters", RosString.TYPE, TopicQos.LATCHED);
    for (int i = 0; i < SCANS; i++) {
      writer.write(scans, stamp(i), LaserScan.TYPE.encodeCdr(scan(i)));
      if (i % 100 == 0) {
        writer.write(counters, stamp(i), RosString.TYPE.encodeCdr(new RosString("{\"n\":1}")));
      }
    }
    if (ends) {
      writer.close();
    }
    return file;
  }

  private record Read(List<LaserScan> scans, int others, List<String> damages) {}

  private static Read read(Path file) throws IOException {
    List<LaserScan> scans = new ArrayList<>();
    int others = 0;
    try (MessageFile messages = MessageFile.open(List.of(file))) {
      for (MessageFile.RecordedMessage each = messages.next();
          each != null;
          each = messages.next()) {
        if (each.is(LaserScan.TYPE)) {
          assertThat(each.topic()).isEqualTo("/scan");
          assertThat(each.atNanos()).isEqualTo(stamp(scans.size()));
          scans.add(each.as(LaserScan.TYPE));
        } else {
          others++;
        }
      }
      return new Read(scans, others, messages.coverage().damages());
    }
  }

  private static void assertAre(List<LaserScan> scans) {
    for (int i = 0; i < scans.size(); i++) {
      assertThat(scans.get(i).ranges()).isEqualTo(scan(i).ranges());
      assertThat(scans.get(i).header()).isEqualTo(scan(i).header());
    }
  }

  @Test
  void aFileHoldsWhatWasWritten() throws Exception {
    Read read = read(written(true));
    assertThat(read.scans()).hasSize(SCANS);
    assertAre(read.scans());
    assertThat(read.others()).isEqualTo(SCANS / 100);
    assertThat(read.damages()).isEmpty();
  }

  /** As a process leaves it that was killed. */
  @Test
  void aFileWithoutAnEndHoldsItsWholeChunks() throws Exception {
    Read read = read(written(false));
    assertThat(read.scans()).hasSizeBetween(SCANS / 2, SCANS - 1);
    assertAre(read.scans());
    assertThat(read.damages()).hasSize(1);
  }

  @Test
  void aFileThatIsCutOffHoldsItsWholeChunks() throws Exception {
    Path file = written(true);
    byte[] all = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(all, all.length / 2));
    Read read = read(file);
    assertThat(read.scans()).hasSizeBetween(SCANS / 4, SCANS * 3 / 4);
    assertAre(read.scans());
  }

  /** Messages of a ROS that had no {@code builtin_interfaces} are described as ROS 2 has them. */
  @Test
  void definitionsAreThoseOfRos2() {
    String separator = "=".repeat(80) + "\n";
    String time = separator + "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n";
    assertThat(LaserScan.TYPE.ros2Text())
        .isEqualTo(
            """
            std_msgs/Header header
            float32 angle_min
            float32 angle_max
            float32 angle_increment
            float32 time_increment
            float32 scan_time
            float32 range_min
            float32 range_max
            float32[] ranges
            float32[] intensities
            """
                + separator
                + """
                MSG: std_msgs/Header
                builtin_interfaces/Time stamp
                string frame_id
                """
                + time);
    assertThat(RosLog.TYPE.ros2Text())
        .startsWith("byte DEBUG=10\n")
        .contains("builtin_interfaces/Time stamp\nuint8 level\n")
        .endsWith(time);
  }
}
