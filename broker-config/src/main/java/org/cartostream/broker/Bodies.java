package org.cartostream.broker;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.filter.Doubts;
import org.cartostream.slam.filter.LoopsClosed;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/** What each message looks like in bytes: its {@link Fields}, in order. */
final class Bodies {

  private static final int PATH_POSE_BYTES = 2 * Long.BYTES + Fields.POSE_BYTES;

  private Bodies() {}

  static void writeReading(Output out, ReadingMessage message) {
    Reading reading = message.reading();
    Scan scan = reading.scan();
    out.writeLong(message.heldMap());
    out.writeLong(reading.stampNanos());
    Fields.writePose(out, reading.odometry());
    Fields.writePose(out, scan.mount());
    Fields.writeDouble(out, scan.startAngle());
    Fields.writeDouble(out, scan.angleStep());
    Fields.writeDouble(out, scan.minRange());
    Fields.writeDouble(out, scan.maxRange());
    out.writeInt(scan.ranges().length);
    for (float range : scan.ranges()) {
      out.writeInt(Float.floatToRawIntBits(range));
    }
  }

  static ReadingMessage readReading(Input in) {
    long heldMap = in.readLong();
    long stampNanos = in.readLong();
    Pose odometry = Fields.readPose(in);
    Pose mount = Fields.readPose(in);
    double startAngle = Fields.readDouble(in);
    double angleStep = Fields.readDouble(in);
    double minRange = Fields.readDouble(in);
    double maxRange = Fields.readDouble(in);
    float[] ranges = new float[Fields.readLength(in, Float.BYTES, "beams")];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = Float.intBitsToFloat(in.readInt());
    }
    Scan scan = new Scan(mount, startAngle, angleStep, minRange, maxRange, ranges);
    return new ReadingMessage(new Reading(stampNanos, odometry, scan), heldMap);
  }

  static void writeEnd(Output out, EndMessage message) {
    out.writeLong(message.readings());
    out.writeLong(message.heldMap());
  }

  static EndMessage readEnd(Input in) {
    return new EndMessage(in.readLong(), in.readLong());
  }

  static void writeOutcome(Output out, OutcomeMessage message) {
    out.writeLong(message.saidAtNanos());
    Outcome outcome = message.outcome();
    if (outcome instanceof Outcome.Processed processed) {
      out.writeByte('P');
      Fields.writePose(out, processed.pose());
      Fields.writeDouble(out, processed.effectiveSampleSize());
      Fields.writeDouble(out, processed.entropy());
      out.writeBoolean(processed.searched());
      out.writeLong(processed.serviceNanos());
    } else if (outcome instanceof Outcome.Refused refused) {
      out.writeByte('R');
      Fields.writeText(out, refused.refusal());
      Fields.writeText(out, refused.sentence());
    } else if (outcome instanceof Outcome.Lost lost) {
      out.writeByte('L');
      Fields.writeText(out, lost.sentence());
    }
  }

  static OutcomeMessage readOutcome(Input in) {
    long saidAtNanos = in.readLong();
    return new OutcomeMessage(readOutcome(in, in.readByte()), saidAtNanos);
  }

  private static Outcome readOutcome(Input in, byte kind) {
    return switch (kind) {
      case 'P' ->
          new Outcome.Processed(
              Fields.readPose(in),
              Fields.readDouble(in),
              Fields.readDouble(in),
              in.readBoolean(),
              in.readLong());
      case 'R' -> new Outcome.Refused(Fields.readText(in), Fields.readText(in));
      case 'L' -> new Outcome.Lost(Fields.readText(in));
      default -> throw BrokerRefusal.UNKNOWN_TYPE.exception("outcome " + kind);
    };
  }

  static void writeMap(Output out, MapMessage message) {
    out.writeByte(message.last() ? 1 : 0);
    out.writeLong(message.base());
    out.writeInt(message.width());
    out.writeInt(message.height());
    Fields.writeDouble(out, message.resolution());
    out.writeInt(message.column());
    out.writeInt(message.row());
    out.writeInt(message.deflated().length);
    out.writeBytes(message.deflated());
  }

  static MapMessage readMap(Input in) {
    boolean last = Fields.readFlag(in);
    long base = in.readLong();
    int width = in.readInt();
    int height = in.readInt();
    double resolution = Fields.readDouble(in);
    int column = in.readInt();
    int row = in.readInt();
    byte[] deflated = in.readBytes(Fields.readLength(in, 1, "bytes"));
    return new MapMessage(last, base, width, height, resolution, column, row, deflated);
  }

  static void writeTrajectory(Output out, TrajectoryMessage message) {
    out.writeInt(message.part());
    out.writeInt(message.parts());
    out.writeInt(message.poses().size());
    for (PathPose pose : message.poses()) {
      out.writeLong(pose.sequence());
      out.writeLong(pose.stampNanos());
      Fields.writePose(out, pose.pose());
    }
  }

  static TrajectoryMessage readTrajectory(Input in) {
    int part = in.readInt();
    int parts = in.readInt();
    int length = Fields.readLength(in, PATH_POSE_BYTES, "poses");
    List<PathPose> poses = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      poses.add(new PathPose(in.readLong(), in.readLong(), Fields.readPose(in)));
    }
    return new TrajectoryMessage(part, parts, poses);
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
              Fields.writeText(out, stage);
              out.writeLong(nanos);
            });
    out.writeLong(message.resamplings());
    out.writeLong(message.bytesMoved());
    out.writeLong(message.evaluations());
    out.writeLong(message.odometry().searched());
    out.writeLong(message.odometry().replaced());
    Fields.writePose(out, message.odometry().mountError());
    out.writeInt(message.tasks());
    writeTeamwork(out, message.teamwork());
    out.writeLong(message.rebuilt());
    out.writeLong(message.loops().loops());
    Fields.writeDouble(out, message.loops().movedMetres());
    out.writeLong(message.loops().nanos());
    Fields.writeText(out, message.failure());
  }

  private static void writeTeamwork(Output out, Teamwork teamwork) {
    out.writeInt(teamwork.computeNanos().size());
    for (int task = 0; task < teamwork.computeNanos().size(); task++) {
      out.writeLong(teamwork.computeNanos().get(task));
      out.writeInt(teamwork.particles().get(task));
    }
    out.writeLong(teamwork.keyFrames());
    out.writeLong(teamwork.slowestNanos());
    out.writeLong(teamwork.decideNanos());
    out.writeLong(teamwork.wallNanos());
    out.writeLong(teamwork.idleP10Nanos());
    out.writeLong(teamwork.idleP50Nanos());
    out.writeLong(teamwork.idleP95Nanos());
  }

  private static Teamwork readTeamwork(Input in) {
    int tasks = Fields.readLength(in, Long.BYTES + Integer.BYTES, "tasks");
    List<Long> computeNanos = new ArrayList<>();
    List<Integer> particles = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      computeNanos.add(in.readLong());
      particles.add(in.readInt());
    }
    return new Teamwork(
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
    int stages = Fields.readLength(in, Integer.BYTES + Long.BYTES, "stages");
    Map<String, Long> stageNanos = new LinkedHashMap<>();
    for (int i = 0; i < stages; i++) {
      stageNanos.put(Fields.readText(in), in.readLong());
    }
    return new FinishedMessage(
        processed,
        refused,
        lost,
        stageNanos,
        in.readLong(),
        in.readLong(),
        in.readLong(),
        new Doubts(in.readLong(), in.readLong(), Fields.readPose(in)),
        in.readInt(),
        readTeamwork(in),
        in.readLong(),
        new LoopsClosed(in.readLong(), Fields.readDouble(in), in.readLong()),
        Fields.readText(in));
  }

  static void writePose(Output out, PoseMessage message) {
    Fields.writePose(out, message.pose());
  }

  static PoseMessage readPose(Input in) {
    return new PoseMessage(Fields.readPose(in));
  }
}
