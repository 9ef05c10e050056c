package org.cartostream.broker.codec;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.Correction;

/**
 * Writes and reads the fields of messages: poses, corrections, numbers, flags, texts. Numbers are
 * little-endian and of fixed size, floating-point ones by their raw bits, so that every reading
 * arrives as it left. A length is 4 bytes, checked against the bytes left before anything is
 * allocated for it.
 */
final class FieldCodec {

  static final int POSE_BYTES = 3 * Double.BYTES;

  private static final int MOST_TEXT_BYTES = 4096;

  private FieldCodec() {}

  static void writePose(Output out, Pose pose) {
    writeDouble(out, pose.x());
    writeDouble(out, pose.y());
    writeDouble(out, pose.theta());
  }

  static Pose readPose(Input in) {
    return new Pose(readDouble(in), readDouble(in), readDouble(in));
  }

  static void writeCorrection(Output out, Correction correction) {
    out.writeInt(correction.number());
    writePose(out, correction.transform());
    writeDouble(out, correction.movedMetres());
  }

  static Correction readCorrection(Input in) {
    return new Correction(in.readInt(), readPose(in), readDouble(in));
  }

  /** Kryo's own {@code writeDouble} makes every NaN the same. */
  static void writeDouble(Output out, double value) {
    out.writeLong(Double.doubleToRawLongBits(value));
  }

  static double readDouble(Input in) {
    return Double.longBitsToDouble(in.readLong());
  }

  static boolean readFlag(Input in) {
    byte flag = in.readByte();
    if (flag != 0 && flag != 1) {
      throw BrokerRefusal.BAD_VALUE.exception("flag " + flag + ", not 0 or 1");
    }
    return flag == 1;
  }

  /**
   * Kryo's own {@code readString} allocates the length that the sender names; this checks it
   * before.
   */
  static String readText(Input in) {
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
  static void writeText(Output out, String text) {
    ByteBuffer bytes = ByteBuffer.allocate(MOST_TEXT_BYTES);
    StandardCharsets.UTF_8
        .newEncoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .encode(CharBuffer.wrap(text), bytes, true);
    out.writeInt(bytes.position());
    out.writeBytes(bytes.array(), 0, bytes.position());
  }

  static int readLength(Input in, int bytesEach, String what) {
    int length = in.readInt();
    int left = in.limit() - in.position();
    if (length < 0 || (long) length * bytesEach > left) {
      throw BrokerRefusal.TRUNCATED.exception(
          Integer.toUnsignedString(length) + " " + what + " in the last " + left + " bytes");
    }
    return length;
  }
}
