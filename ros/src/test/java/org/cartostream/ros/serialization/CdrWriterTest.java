package org.cartostream.ros.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import org.cartostream.ros.message.DiagnosticArray;
import org.cartostream.ros.message.DiagnosticStatus;
import org.cartostream.ros.message.Float64;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.KeyValue;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.PoseStamped;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.Trigger;
import org.cartostream.ros.message.Vector3;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** CDR, against bytes that were laid out by hand and against the reader. */
@Quick
class CdrWriterTest {

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replaceAll("\\s+", ""));
  }

  @Test
  void numbersAreAlignedToTheFirstByteBehindTheHeader() {
    PoseStamped pose =
        new PoseStamped(
            new Header(7, 2_000_000_003L, "map"),
            new RosPose(new Vector3(1, 0, 0), new Quaternion(0, 0, 0, 1)));
    assertThat(PoseStamped.TYPE.encodeCdr(pose))
        .isEqualTo(
            bytes(
                """
                00010000 02000000 03000000 04000000 6d617000
                000000000000f03f 0000000000000000 0000000000000000
                0000000000000000 0000000000000000 0000000000000000 000000000000f03f
                """));
  }

  @Test
  void aMessageWithoutFieldsHasOneByte() {
    assertThat(Trigger.TYPE.request().encodeCdr(new Trigger.Request()))
        .isEqualTo(bytes("00010000 00"));
    assertThat(Float64.TYPE.encodeCdr(new Float64(1))).isEqualTo(bytes("00010000000000000000f03f"));
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    DiagnosticArray array =
        new DiagnosticArray(
            new Header(0, 1_700_000_000_999_999_999L, "ü"),
            List.of(
                new DiagnosticStatus((byte) 1, "a", "", "id", List.of(new KeyValue("k", "v"))),
                new DiagnosticStatus((byte) 2, "", "bc", "", List.of())));
    assertThat(DiagnosticArray.TYPE.decodeCdr(DiagnosticArray.TYPE.encodeCdr(array)))
        .isEqualTo(array);
    float[] ranges = {1, Float.POSITIVE_INFINITY, Float.NaN};
    LaserScan scan =
        new LaserScan(new Header(0, 1, "laser"), -1, 1, 1, 0, 0, 0.1f, 10, ranges, new float[0]);
    LaserScan read = LaserScan.TYPE.decodeCdr(LaserScan.TYPE.encodeCdr(scan));
    assertThat(read.ranges()).containsExactly(ranges);
    assertThat(read.intensities()).isEmpty();
    assertThat(read.rangeMax()).isEqualTo(10);
  }
}
