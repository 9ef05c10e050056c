package org.cartostream.broker.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.io.Output;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MustUnderstand;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** Two releases whose messages differ by some fields understand each other. */
@Quick
class FieldsTest {

  /** A record of this release. */
  record Now(long number, Pose at, List<Pose> more, InitialPose initialPose) {}

  record Earlier(long number) {}

  /** A record of the next one, some of whose records have a field more, too. */
  record Next(
      long number,
      NextPose at,
      List<NextPose> more,
      InitialPose initialPose,
      String note,
      List<NextPose> others,
      Map<String, Long> counts,
      double share,
      NextPose end) {}

  record NextPose(double x, double y, double theta, double height, float[] errors) {}

  record NextCritical(
      long number, Pose at, List<Pose> more, InitialPose initialPose, @MustUnderstand int turn) {}

  private static final InitialPose ANYWHERE = new InitialPose.Anywhere();

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
    NextPose pose = new NextPose(1, 2, 3, 4, new float[] {5});
    List<NextPose> poses = List.of(pose, new NextPose(0, 0, 0, 6, new float[0]));
    Next next = new Next(7, pose, poses, ANYWHERE, "wet", poses, Map.of("a", 1L), 0.5, pose);
    assertSame(
        read(Now.class, bytes(next)),
        new Now(7, new Pose(1, 2, 3), List.of(new Pose(1, 2, 3), Pose.ORIGIN), ANYWHERE));
    assertSame(read(Earlier.class, bytes(next)), new Earlier(7));
  }

  @Test
  void whatAnOlderReleaseSendsIsReadWithDefaultsForWhatItLacks() {
    assertSame(read(Now.class, bytes(new Earlier(7))), new Now(7, Pose.ORIGIN, List.of(), null));
    NextPose none = new NextPose(0, 0, 0, 0, new float[0]);
    NextPose pose = new NextPose(1, 2, 3, 0, new float[0]);
    assertSame(
        read(Next.class, bytes(new Now(7, new Pose(1, 2, 3), List.of(Pose.ORIGIN), ANYWHERE))),
        new Next(7, pose, List.of(none), ANYWHERE, "", List.of(), Map.of(), 0, none));
  }

  @Test
  void aFieldThatMustBeUnderstoodIsRefusedOnlyIfItIsThere() {
    NextCritical without = new NextCritical(7, Pose.ORIGIN, List.of(), null, 0);
    assertThat(read(Now.class, bytes(without)).number()).isEqualTo(7);
    NextCritical with = new NextCritical(7, Pose.ORIGIN, List.of(), null, 1);
    assertThatThrownBy(() -> read(Now.class, bytes(with)))
        .isInstanceOf(RefusedMessageException.class)
        .hasMessageContaining("field 5 of Now, where 4 are known");
  }

  /** Behind the envelope's own. */
  @Property(tries = 200)
  void aFieldMoreChangesNoMessage(@ForAll(supplier = Envelopes.class) Envelope envelope) {
    Output out = new Output(64, -1);
    out.writeBytes(bytes(envelope));
    out.writeVarInt(1000 << 3 | ValueFormat.DOUBLE, true);
    out.writeLong(-1);
    assertSame(read(Envelope.class, out.toBytes()), envelope);
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
            "ReadingMessage.initialPose",
            "RobotPose.quality");
  }
}
