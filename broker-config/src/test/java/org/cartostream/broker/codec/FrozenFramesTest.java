package org.cartostream.broker.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
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
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.Placement;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/**
 * Frames that other releases have sent stay what they are. Each field of each message is in one of
 * these examples, and each example's frame is a line of {@code frames}. A new field gets an example
 * behind the others, and its line; lines that are there are never changed.
 */
@Quick
class FrozenFramesTest {

  private static final Pose A = new Pose(1.5, -2.25, 0.5);
  private static final Pose B = new Pose(-0.125, 3, -1);
  private static final Pose C = new Pose(0.25, 0.75, 3);

  private static final RobotPose POSE =
      new RobotPose(
          A,
          new Correction(3, B, 0.75),
          12.5,
          2.5,
          new LocalisationQuality(0.875, 0.0625, 0.03125, 0.9375, LocalisationQuality.State.LOST));

  private static final Reading READING =
      new Reading(
          1_700_000_000_123_456_789L,
          A,
          new Scan(B, -1.5, 0.0625, 0.1, 30, new float[] {1, 2.5f, Float.POSITIVE_INFINITY}));

  private static final PackedMap KNOWN =
      new PackedMap(20, 30, 0.05, C, 65, 19, new byte[] {1, 2, 3});

  private static final MapMessage MAP =
      new MapMessage(true, 5, 3, 7, 9, 0.05, -4, -6, new byte[] {4, 5, 6, 7});

  private static final FinishedMessage FINISHED =
      new FinishedMessage(
          1,
          2,
          3,
          Map.of("match", 4L),
          5,
          6,
          7,
          8.5,
          new OdometryStatistics(9, 10, A, 0.25),
          11,
          new FinishedMessage.TaskBalance(
              12, List.of(13L, 14L), List.of(15, 16), 17, 18, 19, 20, 21, 22),
          new FinishedMessage.RecoveryReport(23, 24, 25, 26, "full"),
          new LoopClosureReport(27, 0.375, 28),
          29.5,
          "ä broken run");

  private static final List<Message> EXAMPLES =
      List.of(
          new ReadingMessage(READING, 77, KNOWN, new Placement.At(C, 0.5, 0.375, 0.25)),
          new ReadingMessage(READING, 0, null, new Placement.Anywhere()),
          new ReadingMessage(READING, 0, null, new Placement.Unmoved()),
          new EndMessage(320, 300),
          new GoneMessage(4, 9),
          new OutcomeMessage(new Outcome.Processed(POSE, true, 1_234_567), 99, 40),
          new OutcomeMessage(new Outcome.Refused("NO_BEAMS", "none hits"), 99, 40),
          new OutcomeMessage(new Outcome.Lost("gone"), -1, 0),
          new MissingMessage(5, 8),
          new PoseMessage(POSE),
          new ParticlesMessage(List.of(A, Pose.ORIGIN, B), List.of(0, 3, 1)),
          new LoopsMessage(List.of(new ClosedLoop(new StampedPose(5, A), new StampedPose(9, B)))),
          MAP,
          new MapMessage.ForObservers(MAP),
          new TrajectoryMessage(1, 3, List.of(new PathPose(1, 2, A), new PathPose(3, 4, B))),
          FINISHED,
          new WorkerMessage(
              "office",
              "host",
              123,
              456,
              List.of(
                  new WorkerMessage.Task(
                      "Matchers", 2, 789, List.of(new WorkerMessage.HeldRun("r1", 5, 6)), 7))));

  private final Codec codec = new Codec(1 << 20);

  private static Envelope envelope(Message message) {
    return new Envelope("robot-1", 7_000_000_000L, 300, 1_700_000_000_123_456_789L, message);
  }

  private static List<String> frames() throws IOException {
    try (InputStream in = FrozenFramesTest.class.getResourceAsStream("frames")) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    }
  }

  @Test
  void framesAreReadAsTheyWere() throws IOException {
    List<String> frames = frames();
    for (int i = 0; i < frames.size(); i++) {
      assertThat(codec.decode(HexFormat.of().parseHex(frames.get(i))))
          .usingRecursiveComparison()
          .withStrictTypeChecking()
          .isEqualTo(envelope(EXAMPLES.get(i)));
    }
  }

  @Test
  void framesAreWrittenAsTheyWere() throws IOException {
    List<String> now =
        EXAMPLES.stream()
            .map(each -> HexFormat.of().formatHex(codec.encode(envelope(each))))
            .toList();
    assertThat(now).as("lines of the resource 'frames'").isEqualTo(frames());
  }

  @Test
  void eachFieldIsInAFrame() {
    Set<String> written = new TreeSet<>();
    EXAMPLES.forEach(each -> written.addAll(MessageFields.writtenOf(envelope(each))));
    assertThat(written).isEqualTo(MessageFields.of(Envelope.class).keySet());
  }
}
