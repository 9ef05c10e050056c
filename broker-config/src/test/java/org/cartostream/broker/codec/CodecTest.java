package org.cartostream.broker.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.Examples;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;
import org.cartostream.broker.message.GoneMessage;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.MissingMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.broker.message.WorkerMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.motion.Placement;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodecTest {

  /** Robot "r", 1 letter behind its length, then run, sequence, stamp: the kind stands here. */
  private static final int KIND_AT = Codec.HEADER_BYTES + 4 + 1 + 3 * 8;

  private final Codec codec = new Codec(1 << 20);

  // --- round trip ------------------------------------------------------------------------------

  @Property(tries = 300)
  void everyMessageArrivesAsItLeft(@ForAll("envelopes") Envelope envelope) {
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

  // --- hostile input ---------------------------------------------------------------------------

  @Property(tries = 300)
  void randomBytesAreRefusedAndNothingElse(@ForAll byte[] bytes) {
    assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(RefusedMessageException.class);
  }

  @Property
  void randomBytesBehindARightBeginningAreTakenOrRefused(
      @ForAll @IntRange(min = 15, max = 27) int kind, @ForAll byte[] body) {
    byte[] right = codec.encode(Examples.outcome("r", 1));
    byte[] frame = Arrays.copyOf(right, KIND_AT + Integer.BYTES + body.length);
    little(frame).putInt(6, frame.length - Codec.HEADER_BYTES).putInt(KIND_AT, kind);
    System.arraycopy(body, 0, frame, KIND_AT + Integer.BYTES, body.length);
    takesOrRefuses(frame);
  }

  @Property
  void flippedBitsAreTakenOrRefused(
      @ForAll("envelopes") Envelope envelope, @ForAll List<@IntRange(min = 0) Integer> flips) {
    byte[] frame = codec.encode(envelope);
    for (int flip : flips) {
      int bit = flip % (8 * frame.length);
      frame[bit / 8] ^= (byte) (1 << bit % 8);
    }
    takesOrRefuses(frame);
  }

  @Property
  void everyCutIsRefused(
      @ForAll("envelopes") Envelope envelope, @ForAll @IntRange(min = 1) int cut) {
    byte[] frame = codec.encode(envelope);
    byte[] shorter = Arrays.copyOf(frame, frame.length - 1 - cut % frame.length);
    assertThat(why(shorter)).isEqualTo(BrokerRefusal.TRUNCATED);
  }

  /** Also with the right length in the header, as a sender who lies would write it. */
  @Property
  void everyCutWithAMatchingHeaderIsRefused(
      @ForAll("envelopes") Envelope envelope, @ForAll @IntRange(min = 1) int cut) {
    byte[] frame = codec.encode(envelope);
    int payload = frame.length - Codec.HEADER_BYTES;
    byte[] shorter = Arrays.copyOf(frame, frame.length - 1 - cut % payload);
    little(shorter).putInt(6, shorter.length - Codec.HEADER_BYTES);
    assertThat(why(shorter)).isNotNull();
  }

  private static ByteBuffer little(byte[] frame) {
    return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Whatever is taken, its map too is read or refused; no other exception, no heap blown. */
  private void takesOrRefuses(byte[] frame) {
    try {
      if (codec.decode(frame).body() instanceof MapMessage map) {
        map.grid();
      }
    } catch (RefusedMessageException e) {
      assertThat(e.why().refusal()).isInstanceOf(BrokerRefusal.class);
    }
  }

  private BrokerRefusal why(byte[] frame) {
    RefusedMessageException refused =
        catchThrowableOfType(RefusedMessageException.class, () -> codec.decode(frame));
    return (BrokerRefusal) refused.why().refusal();
  }

  @Test
  void refusesAMessageOfAFutureVersion() {
    byte[] frame = codec.encode(Examples.outcome("r", 1));
    frame[4]++;
    assertThatThrownBy(() -> codec.decode(frame))
        .isInstanceOf(RefusedMessageException.class)
        .hasMessageContaining("version " + (Codec.VERSION + 1) + ", not " + Codec.VERSION);
  }

  /** 0 is null to Kryo, 1 a class name, 2 to 10 primitives; 16 to 28 are ours. */
  @ParameterizedTest
  @ValueSource(ints = {-2, -1, 0, 1, 2, 3, 10, 15, 29, 1_000_000, Integer.MAX_VALUE})
  void refusesAKindThatIsNotRegistered(int kind) {
    byte[] frame = codec.encode(Examples.outcome("r", 1));
    little(frame).putInt(KIND_AT, kind);
    assertThat(why(frame)).isEqualTo(BrokerRefusal.UNKNOWN_TYPE);
  }

  @Test
  void refusesALengthThatTheBytesCannotHoldBeforeItMakesAnArray() {
    byte[] frame = codec.encode(Examples.reading("r", 1));
    int lengthAt = frame.length - 4 - 3 * Float.BYTES;
    assertThat(little(frame).getInt(lengthAt)).isEqualTo(3);
    for (int lie : new int[] {4, 1 << 29, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
      little(frame).putInt(lengthAt, lie);
      assertThat(why(frame)).isEqualTo(BrokerRefusal.TRUNCATED);
    }
  }

  @Test
  void refusesACorrectionThatIsNone() {
    byte[] frame = codec.encode(Examples.outcome("r", 1));
    int numberAt = KIND_AT + Integer.BYTES + 2 * Long.BYTES + 1 + FieldCodec.POSE_BYTES;
    int movedAt = numberAt + Integer.BYTES + FieldCodec.POSE_BYTES;
    assertThat(little(frame).getInt(numberAt)).isEqualTo(3);
    assertThat(little(frame).getDouble(movedAt)).isEqualTo(0.75);
    for (int lie : new int[] {-1, 0, Integer.MIN_VALUE}) {
      byte[] wrong = frame.clone();
      little(wrong).putInt(numberAt, lie);
      assertThat(why(wrong)).as("number %d", lie).isEqualTo(BrokerRefusal.BAD_VALUE);
    }
    for (double lie : new double[] {-0.01, Double.NaN, Double.POSITIVE_INFINITY}) {
      byte[] wrong = frame.clone();
      little(wrong).putDouble(movedAt, lie);
      assertThat(why(wrong)).as("moved by %f", lie).isEqualTo(BrokerRefusal.BAD_VALUE);
    }
  }

  @Test
  void refusesAMapOfACorrectionBeforeTheFirst() {
    assertThatThrownBy(() -> new MapMessage(false, 0, -1, 1, 1, 1, 0, 0, new byte[100]))
        .hasMessageContaining("correction -1");
  }

  @Test
  void refusesAMapThatItsBytesCannotHold() {
    assertThatThrownBy(() -> new MapMessage(true, 0, 0, 16_384, 16_384, 1, 0, 0, new byte[100]))
        .hasMessageContaining("100 bytes cannot inflate to 16384 x 16384 cells");
    assertThatThrownBy(() -> new MapMessage(true, 0, 0, 1 << 16, 1 << 16, 1, 0, 0, new byte[100]))
        .hasMessageContaining("at most 268435456");
  }

  @Test
  void refusesAMapWhoseBytesAreOfAnotherSize() {
    MapMessage map = MapMessage.ofEnd(new OccupancyGrid(4, 4, 1, 0, 0, new byte[16]));
    for (int width : new int[] {3, 5}) {
      MapMessage wrong = new MapMessage(true, 0, 0, width, 4, 1, 0, 0, map.deflated());
      assertThatThrownBy(wrong::grid).isInstanceOf(RefusedMessageException.class);
    }
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

  @ParameterizedTest
  @ValueSource(strings = {"", "a.b", "a/b", "#", "*", "a b", "ä", "a\n", "../up"})
  void refusesWhatIsNoRobotsId(String id) {
    assertThatThrownBy(() -> RobotId.check(id))
        .isInstanceOf(RefusedMessageException.class)
        .hasMessageContaining("1 to 64 letters, digits, '-' and '_'");
  }

  @Test
  void boundsTheLengthOfARobotsId() {
    assertThat(RobotId.check("a".repeat(64))).hasSize(64);
    assertThatThrownBy(() -> RobotId.check("a".repeat(65)))
        .isInstanceOf(RefusedMessageException.class);
  }

  // --- messages --------------------------------------------------------------------------------

  @Provide
  Arbitrary<Envelope> envelopes() {
    Arbitrary<String> robots =
        Arbitraries.strings()
            .withCharRange('a', 'z')
            .withChars("-_09")
            .ofMinLength(1)
            .ofMaxLength(64);
    Arbitrary<Long> longs = Arbitraries.longs();
    return Combinators.combine(robots, longs, longs, longs, bodies()).as(Envelope::new);
  }

  private Arbitrary<Message> bodies() {
    Arbitrary<Long> counts = Arbitraries.longs().greaterOrEqual(0);
    return Arbitraries.oneOf(
        readings(),
        Combinators.combine(counts, counts).as(EndMessage::new),
        Combinators.combine(outcomes(), Arbitraries.longs(), Arbitraries.longs())
            .as(OutcomeMessage::new),
        numbers().map(each -> new MissingMessage(each.get(0), each.get(1))),
        numbers().map(each -> new GoneMessage(each.get(0), each.get(1))),
        Combinators.combine(poses(), corrections()).as(PoseMessage::new),
        poses().list().ofMaxSize(50).map(CodecTest::particles),
        loops(),
        maps(),
        maps().map(each -> new MapMessage.ForObservers((MapMessage) each)),
        workers(),
        trajectories(),
        reports());
  }

  private Arbitrary<LoopsMessage> loops() {
    Arbitrary<StampedPose> moments =
        Combinators.combine(Arbitraries.longs(), poses()).as(StampedPose::new);
    return Combinators.combine(moments, moments)
        .as(ClosedLoop::new)
        .list()
        .ofMaxSize(50)
        .map(LoopsMessage::new);
  }

  private static ParticlesMessage particles(List<Pose> poses) {
    return new ParticlesMessage(poses, IntStream.range(0, poses.size()).boxed().toList());
  }

  /** Two, of which the second is not less. */
  private Arbitrary<List<Long>> numbers() {
    return Arbitraries.longs()
        .greaterOrEqual(1)
        .list()
        .ofSize(2)
        .map(
            each ->
                List.of(Math.min(each.get(0), each.get(1)), Math.max(each.get(0), each.get(1))));
  }

  private Arbitrary<Message> readings() {
    Arbitrary<Double> doubles = Arbitraries.doubles();
    Arbitrary<float[]> ranges = Arbitraries.floats().array(float[].class).ofMaxSize(50);
    Arbitrary<Scan> scans =
        Combinators.combine(poses(), doubles, doubles, doubles, doubles, ranges).as(Scan::new);
    return Combinators.combine(
            Arbitraries.longs(),
            poses(),
            scans,
            Arbitraries.longs().greaterOrEqual(0),
            knownMaps().injectNull(0.5),
            placements().injectNull(0.3))
        .as(
            (stamp, at, scan, held, map, placement) ->
                new ReadingMessage(new Reading(stamp, at, scan), held, map, placement));
  }

  private Arbitrary<PackedMap> knownMaps() {
    Arbitrary<Double> metres = Arbitraries.doubles().between(-1e6, 1e6);
    Arbitrary<Pose> origins = Combinators.combine(metres, metres, metres).as(Pose::new);
    return Combinators.combine(
            Arbitraries.integers().between(1, 20), Arbitraries.integers().between(1, 20), origins)
        .as(
            (width, height, origin) ->
                PackedMap.of(
                    new ServerMap(
                        new OccupancyGrid(
                            width, height, 0.1, origin.x(), origin.y(), new byte[width * height]),
                        origin,
                        65,
                        19)));
  }

  private Arbitrary<Placement> placements() {
    Arbitrary<Double> metres = Arbitraries.doubles().between(0, 1e6);
    return Arbitraries.oneOf(
        Arbitraries.of(new Placement.Anywhere(), new Placement.Unmoved()),
        Combinators.combine(metres, metres, metres)
            .as((x, y, turn) -> new Placement.At(new Pose(-x, y, -turn), turn, x, y)));
  }

  private Arbitrary<Pose> poses() {
    Arbitrary<Double> doubles = Arbitraries.doubles();
    return Combinators.combine(doubles, doubles, doubles).as(Pose::new);
  }

  private Arbitrary<Correction> corrections() {
    Arbitrary<Double> moved = Arbitraries.doubles().between(0, 1e9);
    return Arbitraries.oneOf(
        Arbitraries.just(Correction.NONE),
        Combinators.combine(Arbitraries.integers().greaterOrEqual(1), poses(), moved)
            .as(Correction::new));
  }

  private Arbitrary<Outcome> outcomes() {
    Arbitrary<String> texts = Arbitraries.strings().ascii().ofMaxLength(200);
    return Arbitraries.oneOf(
        Combinators.combine(
                poses(),
                corrections(),
                Arbitraries.doubles(),
                Arbitraries.doubles(),
                Arbitraries.of(true, false),
                Arbitraries.longs(),
                qualities().injectNull(0.5))
            .as(Outcome.Processed::new),
        Combinators.combine(texts, texts).as(Outcome.Refused::new),
        texts.map(Outcome.Lost::new));
  }

  private Arbitrary<LocalisationQuality> qualities() {
    Arbitrary<Double> doubles = Arbitraries.doubles();
    return Combinators.combine(
            doubles, doubles, doubles, doubles, Arbitraries.of(LocalisationQuality.State.class))
        .as(LocalisationQuality::new);
  }

  private Arbitrary<Message> maps() {
    Arbitrary<Integer> sides = Arbitraries.integers().between(0, 40);
    Arbitrary<Integer> cells = Arbitraries.integers().between(-1000, 1000);
    Arbitrary<OccupancyGrid> grids =
        Combinators.combine(sides, sides, cells, cells)
            .as(
                (width, height, column, row) ->
                    new OccupancyGrid(
                        width, height, 0.5, 0.5 * column, 0.5 * row, new byte[width * height]));
    return Arbitraries.oneOf(
        grids.map(MapMessage::ofEnd),
        Combinators.combine(grids, Arbitraries.integers().greaterOrEqual(0)).as(MapMessage::of));
  }

  private Arbitrary<Message> workers() {
    Arbitrary<String> names = Arbitraries.strings().alpha().ofMaxLength(10);
    Arbitrary<Long> longs = Arbitraries.longs();
    Arbitrary<Integer> counts = Arbitraries.integers().greaterOrEqual(0);
    Arbitrary<List<WorkerMessage.HeldRun>> runs =
        Combinators.combine(names, longs, longs).as(WorkerMessage.HeldRun::new).list().ofMaxSize(4);
    Arbitrary<List<WorkerMessage.Task>> tasks =
        Combinators.combine(names, counts, longs, runs, counts)
            .as(WorkerMessage.Task::new)
            .list()
            .ofMaxSize(4);
    return Combinators.combine(names, names, longs, longs, tasks).as(WorkerMessage::new);
  }

  private Arbitrary<Message> trajectories() {
    Arbitrary<PathPose> path =
        Combinators.combine(Arbitraries.longs(), Arbitraries.longs(), poses()).as(PathPose::new);
    return path.list().ofMaxSize(20).map(poses -> new TrajectoryMessage(2, 5, poses));
  }

  private Arbitrary<Message> reports() {
    Arbitrary<Map<String, Long>> stages =
        Arbitraries.maps(Arbitraries.strings().alpha().ofMaxLength(10), Arbitraries.longs())
            .ofMaxSize(8);
    Arbitrary<Long> longs = Arbitraries.longs();
    return Combinators.combine(
            longs, longs, longs, stages, longs, longs, longs, Arbitraries.integers())
        .as(
            (processed, refused, lost, nanos, resamplings, bytes, evaluations, tasks) ->
                new FinishedMessage(
                    processed,
                    refused,
                    lost,
                    nanos,
                    resamplings,
                    bytes,
                    evaluations,
                    0.25 * tasks,
                    new OdometryStatistics(bytes, processed, new Pose(0.1, -0.02, 0.03), 0.2),
                    tasks,
                    new TaskBalance(
                        lost,
                        List.of(bytes, lost),
                        List.of(tasks, 7),
                        bytes,
                        1,
                        2,
                        3,
                        4,
                        processed),
                    new RecoveryReport(refused, lost, bytes, processed, "full " + tasks),
                    new LoopClosureReport(lost, 0.5 + tasks, processed),
                    0.25 * tasks,
                    "failure of " + tasks));
  }
}
