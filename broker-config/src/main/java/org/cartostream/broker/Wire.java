package org.cartostream.broker;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * What each type looks like in bytes, and the number under which it is registered. A change here is
 * a new {@link Codec#VERSION}.
 *
 * <p>Numbers are little-endian and of fixed size, floating-point ones by their raw bits, so that
 * every reading arrives as it left. A length is 4 bytes, checked against the bytes left before
 * anything is allocated for it.
 */
final class Wire {

  /** Kryo keeps the numbers below 16 for primitives; ours are fixed, never reused. */
  private static final int FIRST_NUMBER = 16;

  private static final int MOST_TEXT_BYTES = 4096;

  private static final int POSE_BYTES = 3 * Double.BYTES;
  private static final int PATH_POSE_BYTES = 2 * Long.BYTES + POSE_BYTES;

  private Wire() {}

  /** An instance that knows our messages and nothing else. */
  static Kryo kryo() {
    Kryo kryo = new Kryo();
    kryo.setRegistrationRequired(true);
    kryo.setReferences(false);
    register(kryo, 0, ReadingMessage.class, Wire::writeReading, Wire::readReading);
    register(kryo, 1, EndMessage.class, Wire::writeEnd, in -> new EndMessage(in.readLong()));
    register(kryo, 2, OutcomeMessage.class, Wire::writeOutcome, Wire::readOutcome);
    register(
        kryo,
        3,
        PoseMessage.class,
        (out, message) -> writePose(out, message.pose()),
        in -> new PoseMessage(readPose(in)));
    register(kryo, 4, MapMessage.class, Wire::writeMap, Wire::readMap);
    register(kryo, 5, TrajectoryMessage.class, Wire::writeTrajectory, Wire::readTrajectory);
    register(kryo, 6, FinishedMessage.class, Wire::writeFinished, Wire::readFinished);
    return kryo;
  }

  private static <T extends Message> void register(
      Kryo kryo, int number, Class<T> type, BiConsumer<Output, T> write, Function<Input, T> read) {
    Serializer<T> serializer =
        new Serializer<>(false, true) {
          @Override
          public void write(Kryo unused, Output out, T message) {
            write.accept(out, message);
          }

          @Override
          public T read(Kryo unused, Input in, Class<? extends T> alsoUnused) {
            return read.apply(in);
          }
        };
    kryo.register(new Registration(type, serializer, FIRST_NUMBER + number));
  }

  static void writeEnvelope(Kryo kryo, Output out, Envelope envelope) {
    writeText(out, envelope.robot());
    out.writeLong(envelope.run());
    out.writeLong(envelope.sequence());
    out.writeLong(envelope.stampNanos());
    Registration registration = kryo.getRegistration(envelope.body().getClass());
    out.writeInt(registration.getId());
    kryo.writeObject(out, envelope.body(), registration.getSerializer());
  }

  static Envelope readEnvelope(Kryo kryo, Input in) {
    String robot = RobotId.check(readText(in));
    long run = in.readLong();
    long sequence = in.readLong();
    long stampNanos = in.readLong();
    int number = in.readInt();
    Registration registration = kryo.getRegistration(number);
    if (registration == null || !Message.class.isAssignableFrom(registration.getType())) {
      throw BrokerRefusal.UNKNOWN_TYPE.exception("kind " + number);
    }
    Object body = kryo.readObject(in, registration.getType(), registration.getSerializer());
    return new Envelope(robot, run, sequence, stampNanos, (Message) body);
  }

  private static void writeReading(Output out, ReadingMessage message) {
    Reading reading = message.reading();
    Scan scan = reading.scan();
    out.writeLong(reading.stampNanos());
    writePose(out, reading.odometry());
    writePose(out, scan.mount());
    writeDouble(out, scan.startAngle());
    writeDouble(out, scan.angleStep());
    writeDouble(out, scan.minRange());
    writeDouble(out, scan.maxRange());
    out.writeInt(scan.ranges().length);
    for (float range : scan.ranges()) {
      out.writeInt(Float.floatToRawIntBits(range));
    }
  }

  private static ReadingMessage readReading(Input in) {
    long stampNanos = in.readLong();
    Pose odometry = readPose(in);
    Pose mount = readPose(in);
    double startAngle = readDouble(in);
    double angleStep = readDouble(in);
    double minRange = readDouble(in);
    double maxRange = readDouble(in);
    float[] ranges = new float[readLength(in, Float.BYTES, "beams")];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = Float.intBitsToFloat(in.readInt());
    }
    Scan scan = new Scan(mount, startAngle, angleStep, minRange, maxRange, ranges);
    return new ReadingMessage(new Reading(stampNanos, odometry, scan));
  }

  private static void writeEnd(Output out, EndMessage message) {
    out.writeLong(message.readings());
  }

  private static void writeOutcome(Output out, OutcomeMessage message) {
    Outcome outcome = message.outcome();
    if (outcome instanceof Outcome.Processed processed) {
      out.writeByte('P');
      writePose(out, processed.pose());
      writeDouble(out, processed.effectiveSampleSize());
      out.writeLong(processed.serviceNanos());
    } else if (outcome instanceof Outcome.Refused refused) {
      out.writeByte('R');
      writeText(out, refused.refusal());
      writeText(out, refused.sentence());
    } else if (outcome instanceof Outcome.Lost lost) {
      out.writeByte('L');
      writeText(out, lost.sentence());
    }
  }

  private static OutcomeMessage readOutcome(Input in) {
    byte kind = in.readByte();
    return new OutcomeMessage(
        switch (kind) {
          case 'P' -> new Outcome.Processed(readPose(in), readDouble(in), in.readLong());
          case 'R' -> new Outcome.Refused(readText(in), readText(in));
          case 'L' -> new Outcome.Lost(readText(in));
          default -> throw BrokerRefusal.UNKNOWN_TYPE.exception("outcome " + kind);
        });
  }

  private static void writeMap(Output out, MapMessage message) {
    out.writeByte(message.last() ? 1 : 0);
    out.writeInt(message.width());
    out.writeInt(message.height());
    writeDouble(out, message.resolution());
    writeDouble(out, message.originX());
    writeDouble(out, message.originY());
    out.writeInt(message.deflated().length);
    out.writeBytes(message.deflated());
  }

  private static MapMessage readMap(Input in) {
    boolean last = readFlag(in);
    int width = in.readInt();
    int height = in.readInt();
    double resolution = readDouble(in);
    double originX = readDouble(in);
    double originY = readDouble(in);
    byte[] deflated = in.readBytes(readLength(in, 1, "bytes"));
    return new MapMessage(last, width, height, resolution, originX, originY, deflated);
  }

  private static void writeTrajectory(Output out, TrajectoryMessage message) {
    out.writeInt(message.part());
    out.writeInt(message.parts());
    out.writeInt(message.poses().size());
    for (PathPose pose : message.poses()) {
      out.writeLong(pose.sequence());
      out.writeLong(pose.stampNanos());
      writePose(out, pose.pose());
    }
  }

  private static TrajectoryMessage readTrajectory(Input in) {
    int part = in.readInt();
    int parts = in.readInt();
    int length = readLength(in, PATH_POSE_BYTES, "poses");
    List<PathPose> poses = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      poses.add(new PathPose(in.readLong(), in.readLong(), readPose(in)));
    }
    return new TrajectoryMessage(part, parts, poses);
  }

  private static void writeFinished(Output out, FinishedMessage message) {
    out.writeLong(message.processed());
    out.writeLong(message.refused());
    out.writeLong(message.lost());
    out.writeInt(message.stageNanos().size());
    message
        .stageNanos()
        .forEach(
            (stage, nanos) -> {
              writeText(out, stage);
              out.writeLong(nanos);
            });
    out.writeLong(message.resamplings());
    out.writeLong(message.bytesMoved());
    out.writeLong(message.evaluations());
    out.writeInt(message.tasks());
    writeText(out, message.failure());
  }

  private static FinishedMessage readFinished(Input in) {
    long processed = in.readLong();
    long refused = in.readLong();
    long lost = in.readLong();
    int stages = readLength(in, Integer.BYTES + Long.BYTES, "stages");
    Map<String, Long> stageNanos = new LinkedHashMap<>();
    for (int i = 0; i < stages; i++) {
      stageNanos.put(readText(in), in.readLong());
    }
    return new FinishedMessage(
        processed,
        refused,
        lost,
        stageNanos,
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readInt(),
        readText(in));
  }

  private static void writePose(Output out, Pose pose) {
    writeDouble(out, pose.x());
    writeDouble(out, pose.y());
    writeDouble(out, pose.theta());
  }

  private static Pose readPose(Input in) {
    return new Pose(readDouble(in), readDouble(in), readDouble(in));
  }

  /** Kryo's own {@code writeDouble} makes every NaN the same. */
  private static void writeDouble(Output out, double value) {
    out.writeLong(Double.doubleToRawLongBits(value));
  }

  private static double readDouble(Input in) {
    return Double.longBitsToDouble(in.readLong());
  }

  private static boolean readFlag(Input in) {
    byte flag = in.readByte();
    if (flag != 0 && flag != 1) {
      throw BrokerRefusal.BAD_VALUE.exception("flag " + flag + ", not 0 or 1");
    }
    return flag == 1;
  }

  /** Kryo's own {@code readString} allocates what the sender says; this checks it before. */
  private static String readText(Input in) {
    int length = readLength(in, 1, "bytes of text");
    if (length > MOST_TEXT_BYTES) {
      throw BrokerRefusal.BAD_VALUE.exception(
          "a text of " + length + " bytes, at most " + MOST_TEXT_BYTES);
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(in.readBytes(length)))
          .toString();
    } catch (CharacterCodingException e) {
      throw BrokerRefusal.BAD_VALUE.exception("a text that is not UTF-8");
    }
  }

  /** A sentence that is too long is cut, rather than the message refused. */
  private static void writeText(Output out, String text) {
    ByteBuffer bytes = ByteBuffer.allocate(MOST_TEXT_BYTES);
    StandardCharsets.UTF_8
        .newEncoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .encode(CharBuffer.wrap(text), bytes, true);
    out.writeInt(bytes.position());
    out.writeBytes(bytes.array(), 0, bytes.position());
  }

  private static int readLength(Input in, int bytesEach, String what) {
    int length = in.readInt();
    int left = in.limit() - in.position();
    if (length < 0 || (long) length * bytesEach > left) {
      throw BrokerRefusal.TRUNCATED.exception(
          Integer.toUnsignedString(length) + " " + what + " in the last " + left + " bytes");
    }
    return length;
  }
}
