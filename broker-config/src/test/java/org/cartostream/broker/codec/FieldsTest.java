package org.cartostream.broker.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.io.Output;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MustUnderstand;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.Placement;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** Two releases whose messages differ by some fields understand each other. */
@Quick
class FieldsTest {

  /** A reading's message as an older release had it. */
  record EarlierReading(Reading reading) {}

  /** And as a newer one might have it. */
  record NextReading(
      NextPart reading,
      long heldMap,
      PackedMap knownMap,
      Placement placement,
      String note,
      List<NextPart> parts,
      Map<String, Long> counts,
      double share) {}

  /** A reading with a field more, within the message. */
  record NextPart(long stampNanos, Pose odometry, Scan scan, long temperature, Scan second) {}

  record CriticalReading(
      Reading reading, long heldMap, PackedMap knownMap, Placement placement, @MustUnderstand int turn) {}

  record EarlierPose(Pose local, Correction correction) {}

  record NextPose(
      Pose local,
      Correction correction,
      double effectiveSampleSize,
      double entropy,
      LocalisationQuality quality,
      double fit) {}

  private static final Scan SCAN =
      new Scan(new Pose(0.25, 0, 0.5), -1.5, 0.01, 0.1, 30, new float[] {1, 2.5f, Float.POSITIVE_INFINITY});

  private static final Scan NO_SCAN = new Scan(Pose.ORIGIN, 0, 0, 0, 0, new float[0]);

  private static final Reading READING = new Reading(1234, new Pose(1, -2, 3), SCAN);

  private static byte[] bytes(Object message) {
    Output out = new Output(64, -1);
    new RecordFormat(message.getClass()).write(out, message);
    return out.toBytes();
  }

  private static <T> T read(Class<T> type, byte[] bytes) {
    return type.cast(new RecordFormat(type).read(new FrameInput(bytes, 0)));
  }

  private static void assertSame(Object actual, Object expected) {
    assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
  }

  @Test
  void whatANewerReleaseSendsIsReadWithoutWhatIsNew() {
    NextPart part = new NextPart(1234, READING.odometry(), SCAN, 21, SCAN);
    NextReading next =
        new NextReading(
            part, 7, null, new Placement.Anywhere(), "wet", List.of(part), Map.of("a", 1L), 0.5);
    ReadingMessage expected = new ReadingMessage(READING, 7, null, new Placement.Anywhere());
    assertSame(read(ReadingMessage.class, bytes(next)), expected);
    NextPose pose =
        new NextPose(new Pose(1, 2, 3), Correction.NONE, 12.5, 2, null, 0.75);
    assertSame(
        read(RobotPose.class, bytes(pose)),
        new RobotPose(new Pose(1, 2, 3), Correction.NONE, 12.5, 2));
  }

  @Test
  void whatAnOlderReleaseSendsIsReadWithDefaultsForWhatItLacks() {
    assertSame(
        read(ReadingMessage.class, bytes(new EarlierReading(READING))),
        new ReadingMessage(READING, 0, null, null));
    assertSame(
        read(NextReading.class, bytes(new ReadingMessage(READING))),
        new NextReading(
            new NextPart(1234, READING.odometry(), SCAN, 0, NO_SCAN),
            0,
            null,
            null,
            "",
            List.of(),
            Map.of(),
            0));
    Correction correction = new Correction(2, new Pose(0.5, 0, 0), 0.5);
    assertSame(
        read(RobotPose.class, bytes(new EarlierPose(new Pose(1, 2, 3), correction))),
        new RobotPose(new Pose(1, 2, 3), correction, 0, 0));
    assertThat(read(NextPose.class, bytes(new RobotPose(Pose.ORIGIN, correction, 5, 1))).fit())
        .isZero();
  }

  @Test
  void aFieldThatMustBeUnderstoodIsRefusedOnlyIfItIsThere() {
    CriticalReading without = new CriticalReading(READING, 3, null, null, 0);
    assertThat(read(ReadingMessage.class, bytes(without)).heldMap()).isEqualTo(3);
    assertThatThrownBy(
            () ->
                read(
                    ReadingMessage.class,
                    bytes(new CriticalReading(READING, 3, null, null, 1))))
        .isInstanceOf(RefusedMessageException.class)
        .hasMessageContaining("field 5 of ReadingMessage, where 4 are known");
  }

  /** As it was when all fields had a fixed place: see the counts. */
  @Test
  void aReadingHasAtMostTwoPercentMoreBytesThanItsNumbers() {
    Random random = new Random(57);
    for (int beams : new int[] {180, 360, 1080}) {
      float[] ranges = new float[beams];
      for (int i = 0; i < beams; i++) {
        ranges[i] = 30 * random.nextFloat();
      }
      Scan scan = new Scan(new Pose(0.2, 0.01, 0.03), -1.57, 0.0175, 0.1, 30, ranges);
      long stamp = 1_700_000_000_123_456_789L;
      Reading reading = new Reading(stamp, new Pose(12.5, -3.25, 0.7), scan);
      ReadingMessage message = new ReadingMessage(reading).withHeldMap(123_456);
      Envelope envelope = new Envelope("robot1", Long.MAX_VALUE, 123_457, stamp, message);
      // Header, robot, three numbers, kind, held map, flags of what is absent, stamp, two poses,
      // four numbers, count of beams, beams.
      int fixed = 10 + 4 + 6 + 3 * 8 + 4 + 8 + 2 + 8 + 2 * 24 + 4 * 8 + 4 + 4 * beams;
      assertThat(new Codec(1 << 20).encode(envelope)).hasSizeLessThanOrEqualTo(fixed * 102 / 100);
    }
  }

  /** Null is what a constructor refuses otherwise; all else has a value that says nothing. */
  @Test
  void onlyTheseFieldsAreNullWhereTheyLack() {
    Map<String, ValueFormat> fields = MessageFields.of(Envelope.class);
    assertThat(fields.keySet())
        .filteredOn(field -> fields.get(field).absent() == null)
        .containsExactlyInAnyOrder(
            "Envelope.body",
            "ForObservers.map",
            "LocalisationQuality.state",
            "OutcomeMessage.outcome",
            "ReadingMessage.knownMap",
            "ReadingMessage.placement",
            "RobotPose.quality");
  }
}
