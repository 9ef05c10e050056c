package org.cartostream.ros.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.cartostream.ros.RosException;
import org.cartostream.ros.message.Clock;
import org.cartostream.ros.message.DiagnosticArray;
import org.cartostream.ros.message.DiagnosticStatus;
import org.cartostream.ros.message.Empty;
import org.cartostream.ros.message.Float64;
import org.cartostream.ros.message.GetMap;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.KeyValue;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.MapMetaData;
import org.cartostream.ros.message.Odometry;
import org.cartostream.ros.message.PoseArray;
import org.cartostream.ros.message.PoseStamped;
import org.cartostream.ros.message.PoseWithCovarianceStamped;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.message.SetMap;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.Trigger;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class MessageTypeTest {

  /** As {@code rosmsg md5} of ROS Noetic prints them. */
  private static final Map<MessageType<?>, String> SUMS =
      Map.of(
          LaserScan.TYPE, "90c7ef2dc6895d81024acba2ac42f369",
          Odometry.TYPE, "cd5e73d190d741a2f92e81eda573aca7",
          TfMessage.TYPE, "94810edda583a504dfda3829e70d7eec",
          RosOccupancyGrid.TYPE, "3381f2d731d4076ec5c71b0759edbe4e",
          MapMetaData.TYPE, "10cfc8a2818024d3248802c00c95f11b",
          PoseStamped.TYPE, "d3812c3cbc69362b77dc0b19b345f8f5",
          DiagnosticArray.TYPE, "60810da900de1dd6ddd437c3503511da",
          Clock.TYPE, "a9c97c1d230cfc112e270351a944ee47",
          Float64.TYPE, "fdb28210bfa9d7c91146260178d9a584");

  @Test
  void hasTheSumsOfRosItself() {
    SUMS.forEach((type, sum) -> assertThat(type.md5()).as(type.name()).isEqualTo(sum));
    assertThat(GetMap.TYPE.md5()).isEqualTo("6cdd0a18e0aff5b0a3ca2326a89b54ff");
    assertThat(PoseWithCovarianceStamped.TYPE.md5()).isEqualTo("953b798c0f514ff060a53a3498ce6246");
    assertThat(PoseArray.TYPE.md5()).isEqualTo("916c28c5764443f268b296bb671b9d97");
    assertThat(SetMap.TYPE.md5()).isEqualTo("c36922319011e63ed7784112ad4fdd32");
    assertThat(Empty.TYPE.md5()).isEqualTo("d41d8cd98f00b204e9800998ecf8427e");
    assertThat(Trigger.TYPE.md5()).isEqualTo("937c9679a518e3a18d831e57125ea522");
  }

  /** Written down by hand from wiki.ros.org/msg. */
  @Test
  void writesADiagnosisAsTheSpecificationSays() {
    DiagnosticStatus status =
        new DiagnosticStatus((byte) 1, "n", "", "ab", List.of(new KeyValue("k", "v")));
    DiagnosticArray message =
        new DiagnosticArray(new Header(7, 2_000_000_003L, "f"), List.of(status));
    String expected =
        "07000000 02000000 03000000 01000000 66" // header: number, seconds, nanoseconds, frame
            + "01000000 01" // one status, its level
            + "01000000 6e 00000000 02000000 6162" // name, message, hardware
            + "01000000 01000000 6b 01000000 76"; // one pair
    assertThat(HexFormat.of().formatHex(DiagnosticArray.TYPE.encode(message)))
        .isEqualTo(expected.replace(" ", ""));
  }

  @Test
  void readsWhatItWrote() {
    LaserScan scan =
        new LaserScan(
            new Header(4_294_967_295L, 1_700_000_000_123_456_789L, "läser"),
            -1.5f,
            1.5f,
            0.5f,
            0.001f,
            0.1f,
            0.05f,
            8f,
            new float[] {1, Float.NaN, Float.POSITIVE_INFINITY},
            new float[0]);
    LaserScan read = LaserScan.TYPE.decode(LaserScan.TYPE.encode(scan));
    assertThat(read.header()).isEqualTo(scan.header());
    assertThat(read.ranges()).containsExactly(scan.ranges());
    assertThat(LaserScan.TYPE.encode(read)).isEqualTo(LaserScan.TYPE.encode(scan));
  }

  @Test
  void refusesBytesThatAreCutOffAnywhere() {
    byte[] whole =
        DiagnosticArray.TYPE.encode(
            new DiagnosticArray(
                new Header(1, 2, "frame"),
                List.of(new DiagnosticStatus((byte) 0, "name", "message", "", List.of()))));
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> DiagnosticArray.TYPE.decode(part))
          .isInstanceOf(RosException.class)
          .hasMessageContaining("is cut off");
    }
    assertThatThrownBy(() -> DiagnosticArray.TYPE.decode(Arrays.copyOf(whole, whole.length + 1)))
        .isInstanceOf(RosException.class)
        .hasMessageContaining("1 too long");
  }

  /** A count of four thousand million must not reserve memory. */
  @Test
  void believesNoCountThatIsLargerThanTheMessage() {
    byte[] bytes = Float64.TYPE.encode(new Float64(1));
    Arrays.fill(bytes, (byte) 0xff);
    assertThatThrownBy(() -> TfMessage.TYPE.decode(bytes)).isInstanceOf(RosException.class);
  }

  @Test
  void refusesARecordThatIsNotTheMirrorOfItsMessage() {
    record Wrong(float data) {}
    assertThatThrownBy(() -> MessageType.of("std_msgs/Float64", Wrong.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it must be double");
    record Misnamed(double value) {}
    assertThatThrownBy(() -> MessageType.of("std_msgs/Float64", Misnamed.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[data]");
  }
}
