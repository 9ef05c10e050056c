package org.cartostream.broker.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.cartostream.broker.Examples;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** Messages arrive as they left, and none is larger than allowed. */
@Quick
class CodecTest {

  private final Codec codec = new Codec(1 << 20);

  @Property(tries = 300)
  void everyMessageArrivesAsItLeft(@ForAll(supplier = Envelopes.class) Envelope envelope) {
    assertThat(codec.decode(codec.encode(envelope)))
        .usingRecursiveComparison()
        .withStrictTypeChecking()
        .isEqualTo(envelope);
  }

  @Property
  void readingsArriveBitForBit(@ForAll long[] doubles, @ForAll int[] floats, @ForAll long stamp) {
    double[] d =
        Arrays.stream(Arrays.copyOf(doubles, 10)).mapToDouble(Double::longBitsToDouble).toArray();
    float[] ranges = new float[floats.length];
    for (int i = 0; i < floats.length; i++) {
      ranges[i] = Float.intBitsToFloat(floats[i]);
    }
    Scan scan = new Scan(new Pose(d[0], d[1], d[2]), d[3], d[4], d[5], d[6], ranges);
    Reading reading = new Reading(stamp, new Pose(d[7], d[8], d[9]), scan);
    Envelope sent = new Envelope("r", 1, 2, stamp, new ReadingMessage(reading));
    Envelope came = codec.decode(codec.encode(sent));
    assertThat(bits(((ReadingMessage) came.body()).reading())).isEqualTo(bits(reading));
  }

  private static List<Long> bits(Reading reading) {
    Scan scan = reading.scan();
    Pose at = reading.odometry();
    Pose mount = scan.mount();
    double[] doubles = {
      at.x(),
      at.y(),
      at.theta(),
      mount.x(),
      mount.y(),
      mount.theta(),
      scan.startAngle(),
      scan.angleStep(),
      scan.minRange(),
      scan.maxRange()
    };
    List<Long> bits = new ArrayList<>();
    for (double each : doubles) {
      bits.add(Double.doubleToRawLongBits(each));
    }
    for (float each : scan.ranges()) {
      bits.add((long) Float.floatToRawIntBits(each));
    }
    bits.add(reading.stampNanos());
    return bits;
  }

  @Test
  void mapsArriveCellForCell() {
    byte[] cells = new byte[300 * 200];
    new Random(5).nextBytes(cells);
    OccupancyGrid grid = new OccupancyGrid(300, 200, 0.05, -3, 4, cells);
    Envelope sent = new Envelope("r", 1, 2, 3, MapMessage.ofEnd(grid));
    MapMessage came = (MapMessage) codec.decode(codec.encode(sent)).body();
    assertThat(came.grid().width()).isEqualTo(300);
    assertThat(came.grid().resolution()).isEqualTo(grid.resolution());
    assertThat(came.grid().originX()).isEqualTo(grid.originX());
    assertThat(came.grid().originY()).isEqualTo(grid.originY());
    assertThat(Arrays.equals(came.grid().cells(), cells)).as("cells").isTrue();
  }

  @Test
  void longPathsComeInParts() {
    List<PathPose> path =
        LongStream.range(0, 25_000).mapToObj(i -> new PathPose(i, i, new Pose(i, 0, 0))).toList();
    List<TrajectoryMessage> parts = TrajectoryMessage.partsOf(path);
    assertThat(parts)
        .extracting(part -> part.poses().size())
        .containsExactly(10_000, 10_000, 5_000);
    assertThat(parts.stream().flatMap(part -> part.poses().stream())).isEqualTo(path);
  }

  @Test
  void refusesWhatIsLargerThanAllowedInBothDirections() {
    Codec small = new Codec(300);
    byte[] frame = codec.encode(Examples.reading("r", 1));
    assertThat(small.decode(frame).robot()).isEqualTo("r");
    Scan scan = new Scan(Pose.ORIGIN, 0, 1, 0, 1, new float[100]);
    Envelope large =
        new Envelope("r", 1, 1, 1, new ReadingMessage(new Reading(1, Pose.ORIGIN, scan)));
    assertThatThrownBy(() -> small.encode(large)).hasMessageContaining("more than 300 bytes");
    assertThatThrownBy(() -> small.decode(codec.encode(large)))
        .isInstanceOf(RefusedMessageException.class)
        .hasMessageContaining("at most 300");
  }

  @Test
  void cutsASentenceThatIsTooLongAndKeepsTheMessage() {
    Outcome lost = new Outcome.Lost("ä".repeat(5000));
    Envelope came =
        codec.decode(codec.encode(new Envelope("r", 1, 1, 1, new OutcomeMessage(lost, 5, 0))));
    assertThat(((OutcomeMessage) came.body()).outcome())
        .isEqualTo(new Outcome.Lost("ä".repeat(2048)));
  }
}
