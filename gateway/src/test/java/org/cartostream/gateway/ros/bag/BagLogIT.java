package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.ros.scan.RosRefusal;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.settings.Settings;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bags that ROS's own rosbag wrote, packed in each of its ways. */
@Default
class BagLogIT {

  /**
   * Per scan i at 100 + i / 10 s, odometry 10 ms before and after it, at x = i ∓ 0.1 m; scan 5 is
   * blind, the last one has no odometry after it. Small chunks, so that there are many.
   */
  private static final String WRITER =
      """
      import math, sys
      import rosbag, rospy
      from geometry_msgs.msg import TransformStamped
      from sensor_msgs.msg import LaserScan
      from tf2_msgs.msg import TFMessage

      def transform(parent, child, when, x):
          t = TransformStamped()
          t.header.stamp = rospy.Time(when)
          t.header.frame_id = parent
          t.child_frame_id = child
          t.transform.translation.x = x
          t.transform.rotation.w = 1
          return TFMessage([t])

      for packing in ['none', 'bz2', 'lz4']:
          with rosbag.Bag(sys.argv[0] + '.' + packing + '.bag', 'w', packing, 2048) as bag:
              def write(topic, message, when):
                  bag.write(topic, message, rospy.Time(when))
              write('/tf_static', transform('base_link', 'laser', 0, 0.25), 100)
              for i in range(40):
                  when = 100 + i / 10
                  write('/tf', transform('odom', 'base_link', when - 0.01, i - 0.1), when - 0.01)
                  scan = LaserScan()
                  scan.header.stamp = rospy.Time(when)
                  scan.header.frame_id = 'laser'
                  scan.angle_min, scan.angle_max, scan.angle_increment = -1, 1, 0.01
                  scan.range_max = 8
                  scan.ranges = [math.nan if i == 5 else 1 + i / 64 + k / 1024 for k in range(201)]
                  write('/base_scan', scan, when + 0.002)
                  if i < 39:
                      write('/tf', transform('odom', 'base_link', when + 0.01, i + 0.1), when + 0.01)
      """;

  private static LocalRosMaster ros;

  @TempDir private Path folder;

  @BeforeAll
  static void write() throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    ros = LocalRosMaster.started();
    Process writer = ros.script("writer", WRITER);
    assertThat(writer.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(writer.exitValue()).as(ros.said("writer")).isZero();
  }

  @AfterAll
  static void stop() throws Exception {
    if (ros != null) {
      ros.close();
    }
  }

  private static Path bag(String packing) {
    return ros.folder().resolve("writer.py." + packing + ".bag");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "bz2", "lz4"})
  void readsWhatRosbagWrote(String packing) throws Exception {
    assertThat(BagLog.format(Settings.defaults(RosSettings.class)).sniffer().takes(bag(packing)))
        .isTrue();
    BagEntries entries = BagEntries.of(bag(packing));
    List<Reading> readings = entries.readings();
    assertThat(entries.all()).hasSize(40);
    assertThat(readings).hasSize(38);
    Reading seventh = readings.get(6); // The sixth scan is blind.
    assertThat(seventh.stampNanos()).isEqualTo(100_700_000_000L);
    assertThat(seventh.odometry().x()).isCloseTo(7, within(1e-6));
    assertThat(seventh.scan().mount().x()).isEqualTo(0.25);
    assertThat(seventh.scan().beams()).isEqualTo(201);
    assertThat(seventh.scan().ranges()[100]).isEqualTo(1 + 7 / 64f + 100 / 1024f);
  }

  @Test
  void refusesWithAReasonWhatALiveRobotsScanWouldBeRefusedFor() throws Exception {
    assertThat(BagEntries.of(bag("none")).refusals())
        .containsExactly(RosRefusal.ALL_BEAMS_INVALID, RosRefusal.NO_ODOMETRY);
  }

  /** As a robot leaves it whose battery was empty. */
  @Test
  void readsABagThatIsCutOffAsFarAsItGoes() throws Exception {
    byte[] whole = Files.readAllBytes(bag("none"));
    Path half = folder.resolve("half.bag");
    Files.write(half, Arrays.copyOf(whole, whole.length / 2));
    assertThat(BagEntries.of(half).readings().size()).isBetween(5, 30);
  }

  /** Whatever byte is wrong, it is an answer or a sentence. */
  @Test
  void bearsEveryByteThatIsWrong() throws Exception {
    byte[] whole = Arrays.copyOf(Files.readAllBytes(bag("none")), 12_000);
    Path damaged = folder.resolve("damaged.bag");
    for (int at = 13; at < whole.length; at += 97) {
      byte[] bytes = whole.clone();
      bytes[at] ^= (byte) 0xff;
      Files.write(damaged, bytes);
      try {
        BagEntries.of(damaged);
      } catch (FileFormatException | UncheckedIOException e) {
        assertThat(e).as("byte %d", at).hasMessageContaining("damaged.bag");
      }
    }
  }
}
