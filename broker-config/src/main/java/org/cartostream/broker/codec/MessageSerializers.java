package org.cartostream.broker.codec;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;
import org.cartostream.broker.message.GoneMessage;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.MissingMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.Placement;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;

/** Writes and reads each kind of message, field by field with {@link FieldCodec}. */
final class MessageSerializers {

  private static final int STAMPED_POSE_BYTES = Long.BYTES + FieldCodec.POSE_BYTES;
  private static final int PATH_POSE_BYTES = Long.BYTES + STAMPED_POSE_BYTES;

  private MessageSerializers() {}

  static void writeReading(Output out, ReadingMessage message) {
    Reading reading = message.reading();
    Scan scan = reading.scan();
    out.writeLong(message.heldMap());
    out.writeBoolean(message.knownMap() != null);
    if (message.knownMap() != null) {
      LocalisationSerializers.writeMap(out, message.knownMap());
    }
    LocalisationSerializers.writePlacement(out, message.placement());
    out.writeLong(reading.stampNanos());
    FieldCodec.writePose(out, reading.odometry());
    FieldCodec.writePose(out, scan.mount());
    FieldCodec.writeDouble(out, scan.startAngle());
    FieldCodec.writeDouble(out, scan.angleStep());
    FieldCodec.writeDouble(out, scan.minRange());
    FieldCodec.writeDouble(out, scan.maxRange());
    out.writeInt(scan.ranges().length);
    for (float range : scan.ranges()) {
      out.writeInt(Float.floatToRawIntBits(range));
    }
  }

  static ReadingMessage readReading(Input in) {
    long heldMap = in.readLong();
    PackedMap knownMap = FieldCodec.readFlag(in) ? LocalisationSerializers.readMap(in) : null;
    Placement placement = LocalisationSerializers.readPlacement(in);
    long stampNanos = in.readLong();
    Pose odometry = FieldCodec.readPose(in);
    Pose mount = FieldCodec.readPose(in);
    double startAngle = FieldCodec.readDouble(in);
    double angleStep = FieldCodec.readDouble(in);
    double minRange = FieldCodec.readDouble(in);
    double maxRange = FieldCodec.readDouble(in);
    float[] ranges = new float[FieldCodec.readLength(in, Float.BYTES, "beams")];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = Float.intBitsToFloat(in.readInt());
    }
    Scan scan = new Scan(mount, startAngle, angleStep, minRange, maxRange, ranges);
    return new ReadingMessage(
        new Reading(stampNanos, odometry, scan), heldMap, knownMap, placement);
  }

  static void writeEnd(Output out, EndMessage message) {
    out.writeLong(message.readings());
    out.writeLong(message.heldMap());
  }

  static EndMessage readEnd(Input in) {
    return new EndMessage(in.readLong(), in.readLong());
  }

  static void writeMissing(Output out, MissingMessage message) {
    out.writeLong(message.first());
    out.writeLong(message.last());
  }

  static MissingMessage readMissing(Input in) {
    return new MissingMessage(in.readLong(), in.readLong());
  }

  static void writeGone(Output out, GoneMessage message) {
    out.writeLong(message.first());
    out.writeLong(message.last());
  }

  static GoneMessage readGone(Input in) {
    return new GoneMessage(in.readLong(), in.readLong());
  }

  static void writeOutcome(Output out, OutcomeMessage message) {
    out.writeLong(message.answeredAtNanos());
    out.writeLong(message.durable());
    Outcome outcome = message.outcome();
    if (outcome instanceof Outcome.Processed processed) {
      out.writeByte('P');
      FieldCodec.writePose(out, processed.local());
      FieldCodec.writeCorrection(out, processed.correction());
      FieldCodec.writeDouble(out, processed.effectiveSampleSize());
      FieldCodec.writeDouble(out, processed.entropy());
      out.writeBoolean(processed.searched());
      out.writeLong(processed.serviceNanos());
      LocalisationSerializers.writeQuality(out, processed.quality());
    } else if (outcome instanceof Outcome.Refused refused) {
      out.writeByte('R');
      FieldCodec.writeText(out, refused.refusal());
      FieldCodec.writeText(out, refused.sentence());
    } else if (outcome instanceof Outcome.Lost lost) {
      out.writeByte('L');
      FieldCodec.writeText(out, lost.sentence());
    }
  }

  static OutcomeMessage readOutcome(Input in) {
    long answeredAtNanos = in.readLong();
    long durable = in.readLong();
    return new OutcomeMessage(readOutcome(in, in.readByte()), answeredAtNanos, durable);
  }

  private static Outcome readOutcome(Input in, byte kind) {
    return switch (kind) {
      case 'P' ->
          new Outcome.Processed(
              FieldCodec.readPose(in),
              FieldCodec.readCorrection(in),
              FieldCodec.readDouble(in),
              FieldCodec.readDouble(in),
              in.readBoolean(),
              in.readLong(),
              LocalisationSerializers.readQuality(in));
      case 'R' -> new Outcome.Refused(FieldCodec.readText(in), FieldCodec.readText(in));
      case 'L' -> new Outcome.Lost(FieldCodec.readText(in));
      default -> throw BrokerRefusal.UNKNOWN_TYPE.exception("outcome " + kind);
    };
  }

  static void writeMap(Output out, MapMessage message) {
    out.writeByte(message.last() ? 1 : 0);
    out.writeLong(message.base());
    out.writeInt(message.correction());
    out.writeInt(message.width());
    out.writeInt(message.height());
    FieldCodec.writeDouble(out, message.resolution());
    out.writeInt(message.column());
    out.writeInt(message.row());
    out.writeInt(message.deflated().length);
    out.writeBytes(message.deflated());
  }

  static MapMessage readMap(Input in) {
    boolean last = FieldCodec.readFlag(in);
    long base = in.readLong();
    int correction = in.readInt();
    int width = in.readInt();
    int height = in.readInt();
    double resolution = FieldCodec.readDouble(in);
    int column = in.readInt();
    int row = in.readInt();
    byte[] deflated = in.readBytes(FieldCodec.readLength(in, 1, "bytes"));
    return new MapMessage(last, base, correction, width, height, resolution, column, row, deflated);
  }

  static void writeTrajectory(Output out, TrajectoryMessage message) {
    out.writeInt(message.part());
    out.writeInt(message.parts());
    out.writeInt(message.poses().size());
    for (PathPose pose : message.poses()) {
      out.writeLong(pose.sequence());
      out.writeLong(pose.stampNanos());
      FieldCodec.writePose(out, pose.pose());
    }
  }

  static TrajectoryMessage readTrajectory(Input in) {
    int part = in.readInt();
    int parts = in.readInt();
    int length = FieldCodec.readLength(in, PATH_POSE_BYTES, "poses");
    List<PathPose> poses = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      poses.add(new PathPose(in.readLong(), in.readLong(), FieldCodec.readPose(in)));
    }
    return new TrajectoryMessage(part, parts, poses);
  }

  static void writeLoops(Output out, LoopsMessage message) {
    out.writeInt(message.loops().size());
    for (ClosedLoop loop : message.loops()) {
      writeStamped(out, loop.first());
      writeStamped(out, loop.again());
    }
  }

  static LoopsMessage readLoops(Input in) {
    int length = FieldCodec.readLength(in, 2 * STAMPED_POSE_BYTES, "loops");
    List<ClosedLoop> loops = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      loops.add(new ClosedLoop(readStamped(in), readStamped(in)));
    }
    return new LoopsMessage(loops);
  }

  private static void writeStamped(Output out, StampedPose stamped) {
    out.writeLong(stamped.stampNanos());
    FieldCodec.writePose(out, stamped.pose());
  }

  private static StampedPose readStamped(Input in) {
    return new StampedPose(in.readLong(), FieldCodec.readPose(in));
  }

  static void writeFinished(Output out, FinishedMessage message) {
    out.writeLong(message.processed());
    out.writeLong(message.refused());
    out.writeLong(message.lost());
    out.writeInt(message.stageNanos().size());
    message
        .stageNanos()
        .forEach(
            (stage, nanos) -> {
              FieldCodec.writeText(out, stage);
              out.writeLong(nanos);
            });
    out.writeLong(message.resamplings());
    out.writeLong(message.bytesMoved());
    out.writeLong(message.evaluations());
    FieldCodec.writeDouble(out, message.meanParticles());
    out.writeLong(message.odometry().searched());
    out.writeLong(message.odometry().replaced());
    FieldCodec.writePose(out, message.odometry().mountError());
    FieldCodec.writeDouble(out, message.odometry().lagSeconds());
    out.writeInt(message.tasks());
    writeTaskBalance(out, message.taskBalance());
    writeRecovery(out, message.recovery());
    out.writeLong(message.loops().loops());
    FieldCodec.writeDouble(out, message.loops().movedMetres());
    out.writeLong(message.loops().nanos());
    FieldCodec.writeDouble(out, message.drivenMetres());
    FieldCodec.writeText(out, message.failure());
  }

  private static void writeRecovery(Output out, RecoveryReport recovery) {
    out.writeLong(recovery.times());
    out.writeLong(recovery.reading());
    out.writeLong(recovery.replayed());
    out.writeLong(recovery.nanos());
    FieldCodec.writeText(out, recovery.notDurable());
  }

  private static void writeTaskBalance(Output out, TaskBalance taskBalance) {
    out.writeInt(taskBalance.computeNanos().size());
    for (int task = 0; task < taskBalance.computeNanos().size(); task++) {
      out.writeLong(taskBalance.computeNanos().get(task));
      out.writeInt(taskBalance.particles().get(task));
    }
    out.writeLong(taskBalance.keyFrames());
    out.writeLong(taskBalance.slowestNanos());
    out.writeLong(taskBalance.decideNanos());
    out.writeLong(taskBalance.wallNanos());
    out.writeLong(taskBalance.idleP10Nanos());
    out.writeLong(taskBalance.idleP50Nanos());
    out.writeLong(taskBalance.idleP95Nanos());
  }

  private static TaskBalance readTaskBalance(Input in) {
    int tasks = FieldCodec.readLength(in, Long.BYTES + Integer.BYTES, "tasks");
    List<Long> computeNanos = new ArrayList<>();
    List<Integer> particles = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      computeNanos.add(in.readLong());
      particles.add(in.readInt());
    }
    return new TaskBalance(
        in.readLong(),
        computeNanos,
        particles,
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong());
  }

  static FinishedMessage readFinished(Input in) {
    long processed = in.readLong();
    long refused = in.readLong();
    long lost = in.readLong();
    int stages = FieldCodec.readLength(in, Integer.BYTES + Long.BYTES, "stages");
    Map<String, Long> stageNanos = new LinkedHashMap<>();
    for (int i = 0; i < stages; i++) {
      stageNanos.put(FieldCodec.readText(in), in.readLong());
    }
    return new FinishedMessage(
        processed,
        refused,
        lost,
        stageNanos,
        in.readLong(),
        in.readLong(),
        in.readLong(),
        FieldCodec.readDouble(in),
        new OdometryStatistics(
            in.readLong(), in.readLong(), FieldCodec.readPose(in), FieldCodec.readDouble(in)),
        in.readInt(),
        readTaskBalance(in),
        new RecoveryReport(
            in.readLong(), in.readLong(), in.readLong(), in.readLong(), FieldCodec.readText(in)),
        new LoopClosureReport(in.readLong(), FieldCodec.readDouble(in), in.readLong()),
        FieldCodec.readDouble(in),
        FieldCodec.readText(in));
  }

  static void writePose(Output out, PoseMessage message) {
    FieldCodec.writePose(out, message.local());
    FieldCodec.writeCorrection(out, message.correction());
  }

  static PoseMessage readPose(Input in) {
    return new PoseMessage(FieldCodec.readPose(in), FieldCodec.readCorrection(in));
  }
}
