package org.cartostream.broker.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.cartostream.broker.message.DroppedMessage;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.message.ResendRequestMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.broker.message.UnavailableMessage;
import org.cartostream.broker.message.WorkerMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.InitialPose;
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
 * these examples, and each example's frame is one of these. A new field gets an example and its
 * frame behind the others; what is there is never changed.
 */
@Quick
class FrozenFramesTest {

  private static final Pose A = new Pose(1.5, -2.25, 0.5);
  private static final Pose B = new Pose(-0.125, 3, -1);
  private static final Pose C = new Pose(0.25, 0.75, 3);

  private static final RobotPose POSE =
      new RobotPose(A, new Correction(3, B, 0.75), 12.5, 2.5)
          .withQuality(
              new LocalisationQuality(
                  0.875, 0.0625, 0.03125, 0.9375, LocalisationQuality.State.LOST));

  private static final Reading READING =
      new Reading(
          1_700_000_000_123_456_789L,
          A,
          new Scan(B, -1.5, 0.0625, 0.1, 30, new float[] {1, 2.5f, Float.POSITIVE_INFINITY}));

  private static final PackedMap KNOWN =
      new PackedMap(20, 30, 0.05, C, 65, 19, new byte[] {1, 2, 3});

  private static final MapMessage MAP =
      new MapMessage(true, 5, 3, 7, 9, 0.05, -4, -6, new byte[] {4, 5, 6, 7});

  private static final FinishedMessage FINISHED = finished(0, 0, 0);

  /** Bits and places came later: they are not written where they are 0. */
  private static FinishedMessage finished(double wayBits, double endBits, int places) {
    return new FinishedMessage(
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
        new LoopClosureReport(27, 0.375, 28, wayBits, endBits, places, places / 2),
        29.5,
        "ä broken run");
  }

  private static final List<Message> EXAMPLES =
      List.of(
          new ReadingMessage(READING, 77, KNOWN, new InitialPose.At(C, 0.5, 0.375, 0.25)),
          new ReadingMessage(READING, 0, null, new InitialPose.Anywhere()),
          new ReadingMessage(READING, 0, null, new InitialPose.Unmoved()),
          new EndMessage(320, 300),
          new UnavailableMessage(4, 9),
          new OutcomeMessage(new Outcome.Processed(POSE, true, 1_234_567), 99, 40),
          new OutcomeMessage(new Outcome.Refused("NO_BEAMS", "none hits"), 99, 40),
          new OutcomeMessage(new Outcome.Lost("gone"), -1, 0),
          new ResendRequestMessage(5, 8),
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
                      "Matchers", 2, 789, List.of(new WorkerMessage.HeldRun("r1", 5, 6)), 7))),
          finished(1536.5, 1024.25, 0),
          new PoseMessage(
              POSE.withCovariance(
                  new SymmetricMatrix3(0.25, -0.125, 0.0625, 0.5, 0.03125, 0.015625))),
          finished(1536.5, 1024.25, 642),
          new DroppedMessage("full"));

  /** In hexadecimal digits, with an empty line between two. */
  private static final String FRAMES =
      """
      4352544f11000e0100000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2aef01010a78
      08aab4aed8c7bfce972f121b09000000000000f83f1100000000000002c019000000000000e03f1a4f0a1b09
      000000000000c0bf11000000000000084019000000000000f0bf11000000000000f8bf19000000000000b03f
      219a9999999999b93f290000000000003e40320c0000803f000020400000807f109a011e340828103c199a99
      99999999a93f221b09000000000000d03f11000000000000e83f19000000000000084028820130263a030102
      032639010a1b09000000000000d03f11000000000000e83f19000000000000084011000000000000e03f1900
      0000000000d83f21000000000000d03f

      4352544f11009c0000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a7e010a7808
      aab4aed8c7bfce972f121b09000000000000f83f1100000000000002c019000000000000e03f1a4f0a1b0900
      0000000000c0bf11000000000000084019000000000000f0bf11000000000000f8bf19000000000000b03f21
      9a9999999999b93f290000000000003e40320c0000803f000020400000807f260102

      4352544f11009c0000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a7e010a7808
      aab4aed8c7bfce972f121b09000000000000f83f1100000000000002c019000000000000e03f1a4f0a1b0900
      0000000000c0bf11000000000000084019000000000000f0bf11000000000000f8bf19000000000000b03f21
      9a9999999999b93f290000000000003e40320c0000803f000020400000807f260103

      4352544f1100250000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a0702088005
      10d804

      4352544f1100230000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a0503080810
      12

      4352544f1100b40000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a9501040a8c
      01010a81010a1b09000000000000f83f1100000000000002c019000000000000e03f12280806121b09000000
      000000c0bf11000000000000084019000000000000f0bf19000000000000e83f190000000000002940210000
      0000000004402a2609000000000000ec3f11000000000000b03f19000000000000a03f21000000000000ee3f
      28041002188eda960110c6011850

      4352544f11003c0000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a1e040a1602
      0a084e4f5f4245414d5312096e6f6e65206869747310c6011850

      4352544f11002a0000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a0c040a0703
      0a04676f6e651001

      4352544f1100230000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a0505080a10
      10

      4352544f1100a40000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a8501060a81
      010a1b09000000000000f83f1100000000000002c019000000000000e03f12280806121b09000000000000c0
      bf11000000000000084019000000000000f0bf19000000000000e83f19000000000000294021000000000000
      04402a2609000000000000ec3f11000000000000b03f19000000000000a03f21000000000000ee3f2804

      4352544f11005f0000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a41070a391b
      09000000000000f83f1100000000000002c019000000000000e03f001b09000000000000c0bf110000000000
      00084019000000000000f0bf1203000602

      4352544f1100640000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a46080a4342
      0a1f080a121b09000000000000f83f1100000000000002c019000000000000e03f121f0812121b0900000000
      0000c0bf11000000000000084019000000000000f0bf

      4352544f11003c0000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a1e09080210
      0a1806200e2812319a9999999999a93f3807400b4a0404050607

      4352544f11003e0000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a200a0a1d08
      02100a1806200e2812319a9999999999a93f3807400b4a0404050607

      4352544f1100690000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a4b0b080210
      061a4421080210041a1b09000000000000f83f1100000000000002c019000000000000e03f21080610081a1b
      09000000000000c0bf11000000000000084019000000000000f0bf

      4352544f1100bb0000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a9c010c0802
      100418062207056d6174636808280a300c380e4100000000000021404a2a081210141a1b09000000000000f8
      3f1100000000000002c019000000000000e03f21000000000000d03f50165a16081812021a1c1a021e202022
      282430263828402a482c620e082e1030183220342a0466756c6c6a0d083611000000000000d83f1838710000
      000000803d407a0dc3a42062726f6b656e2072756e

      4352544f1100520000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a340d0a066f
      66666963651204686f737418f6012090072a1d1c0a084d61746368657273100418aa0c2209080a027231100a
      180c280e

      4352544f1100cd0000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2aae010c0802
      100418062207056d6174636808280a300c380e4100000000000021404a2a081210141a1b09000000000000f8
      3f1100000000000002c019000000000000e03f21000000000000d03f50165a16081812021a1c1a021e202022
      282430263828402a482c620e082e1030183220342a0466756c6c6a1f083611000000000000d83f1838210000
      000000029840290000000000019040710000000000803d407a0dc3a42062726f6b656e2072756e

      4352544f1100dc0000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2abd01060ab9
      010a1b09000000000000f83f1100000000000002c019000000000000e03f12280806121b09000000000000c0
      bf11000000000000084019000000000000f0bf19000000000000e83f19000000000000294021000000000000
      04402a2609000000000000ec3f11000000000000b03f19000000000000a03f21000000000000ee3f28043236
      09000000000000d03f11000000000000c0bf19000000000000b03f21000000000000e03f29000000000000a0
      3f31000000000000903f

      4352544f1100d30000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2ab4010c0802
      100418062207056d6174636808280a300c380e4100000000000021404a2a081210141a1b09000000000000f8
      3f1100000000000002c019000000000000e03f21000000000000d03f50165a16081812021a1c1a021e202022
      282430263828402a482c620e082e1030183220342a0466756c6c6a25083611000000000000d83f1838210000
      00000002984029000000000001904030840a388205710000000000803d407a0dc3a42062726f6b656e207275
      6e

      4352544f1100250000000a07726f626f742d31108098dc933418d80420aab4aed8c7bfce972f2a070e0a0466
      756c6c
      """;

  private final Codec codec = new Codec(1 << 20);

  private static Envelope envelope(Message message) {
    return new Envelope("robot-1", 7_000_000_000L, 300, 1_700_000_000_123_456_789L, message);
  }

  private String frames() {
    return EXAMPLES.stream()
        .map(each -> HexFormat.of().formatHex(codec.encode(envelope(each))))
        .map(hex -> hex.replaceAll("(.{88})(?!$)", "$1\n"))
        .collect(Collectors.joining("\n\n", "", "\n"));
  }

  @Test
  void framesAreReadAsTheyWere() {
    String[] frames = FRAMES.split("\n\n");
    for (int i = 0; i < frames.length; i++) {
      byte[] frame = HexFormat.of().parseHex(frames[i].replace("\n", ""));
      assertThat(codec.decode(frame))
          .usingRecursiveComparison()
          .withStrictTypeChecking()
          .isEqualTo(envelope(EXAMPLES.get(i)));
    }
  }

  @Test
  void framesAreWrittenAsTheyWere() {
    String now = frames();
    assertThat(now).startsWith(FRAMES);
    assertThat(now.substring(FRAMES.length())).as("frames of new examples, to be added").isEmpty();
  }

  @Test
  void eachFieldIsInAFrame() {
    Set<String> inNone = new TreeSet<>(MessageFields.of(Envelope.class).keySet());
    EXAMPLES.forEach(each -> inNone.removeAll(MessageFields.writtenOf(envelope(each))));
    assertThat(inNone).as("fields that no example has").isEmpty();
  }
}
