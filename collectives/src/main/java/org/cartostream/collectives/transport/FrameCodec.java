package org.cartostream.collectives.transport;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;

/**
 * Codec of frames as bytes, big endian: length of the head (4), length of the payload (4), the
 * head, the payload. The head has, with lengths in bytes:
 *
 * <pre>
 * kind (1)  operation (1)  algorithm (1)
 * source (4)  root (4)  step (4)  offset (4)  total (4)  epoch (8)  round (8)
 * characters of the robot's id (1), the id in ASCII
 * number of blocks (4), length of each (4)
 * </pre>
 *
 * <p>Kind, operation and algorithm are numbered in the order of their declaration: all members of a
 * group run the same build.
 */
@SuppressWarnings("EnumOrdinal")
public final class FrameCodec {

  /** Size of the two length fields before the head, bytes. */
  public static final int LENGTHS_BYTES = 8;

  /** Length of the head without the robot's id and the blocks' lengths, bytes. */
  private static final int FIXED_BYTES = 3 + 5 * Integer.BYTES + 2 * Long.BYTES + 1 + Integer.BYTES;

  private FrameCodec() {}

  /** Returns the length of the largest head in a group of {@code size} members, bytes. */
  public static int maxHeadBytes(int size) {
    return FIXED_BYTES + 255 + Integer.BYTES * Math.max(2, size);
  }

  /**
   * Encodes a frame, with a copy of its blocks.
   *
   * @param buffers makes a buffer of a capacity in bytes
   */
  public static ByteBuf encode(Frame frame, IntFunction<ByteBuf> buffers) {
    byte[] robot = frame.key().robot().getBytes(StandardCharsets.US_ASCII);
    int headBytes = FIXED_BYTES + robot.length + Integer.BYTES * frame.blocks().size();
    int payloadBytes = Math.toIntExact(frame.bytes());
    ByteBuf out = buffers.apply(LENGTHS_BYTES + headBytes + payloadBytes);
    out.writeInt(headBytes).writeInt(payloadBytes);
    out.writeByte(frame.kind().ordinal());
    out.writeByte(frame.operation().ordinal());
    out.writeByte(frame.algorithm().ordinal());
    out.writeInt(frame.source()).writeInt(frame.root()).writeInt(frame.step());
    out.writeInt(frame.offset()).writeInt(frame.total());
    out.writeLong(frame.key().epoch()).writeLong(frame.key().round());
    out.writeByte(robot.length).writeBytes(robot);
    out.writeInt(frame.blocks().size());
    frame.blocks().forEach(block -> out.writeInt(block.length()));
    frame.blocks().forEach(block -> out.writeBytes(block.array(), block.from(), block.length()));
    return out;
  }

  /**
   * Decodes a head, and makes arrays for the blocks, whose bytes follow.
   *
   * @param payloadBytes length of all blocks that was announced before the head
   * @param size number of members of the group
   * @param room makes an array of a length in bytes
   * @throws IllegalArgumentException if the head is malformed
   */
  public static Frame decodeHead(
      ByteBuf head, int payloadBytes, int size, IntFunction<byte[]> room) {
    try {
      return head(head, payloadBytes, size, room);
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("the head of a frame ends too early", e);
    }
  }

  private static Frame head(ByteBuf in, int payloadBytes, int size, IntFunction<byte[]> room) {
    Frame.Kind kind = one(Frame.Kind.values(), in.readUnsignedByte());
    Operation operation = one(Operation.values(), in.readUnsignedByte());
    Algorithm algorithm = one(Algorithm.values(), in.readUnsignedByte());
    int source = in.readInt();
    int root = in.readInt();
    int step = in.readInt();
    int offset = in.readInt();
    int total = in.readInt();
    long epoch = in.readLong();
    long round = in.readLong();
    byte[] robot = new byte[in.readUnsignedByte()];
    in.readBytes(robot);
    OperationKey key = new OperationKey(new String(robot, StandardCharsets.US_ASCII), epoch, round);
    List<Slice> blocks = blocks(in, payloadBytes, size, room);
    return new Frame(kind, key, source, operation, root, algorithm, step, offset, total, blocks);
  }

  private static <T> T one(T[] values, int ordinal) {
    if (ordinal >= values.length) {
      throw new IllegalArgumentException(
          "a frame has the code %d where there are %d".formatted(ordinal, values.length));
    }
    return values[ordinal];
  }

  private static List<Slice> blocks(
      ByteBuf in, int payloadBytes, int size, IntFunction<byte[]> room) {
    int count = in.readInt();
    if (count < 0 || count > Math.max(2, size)) {
      throw new IllegalArgumentException(
          "a frame has %d blocks in a group of %d".formatted(count, size));
    }
    int[] lengths = new int[count];
    long sum = 0;
    for (int i = 0; i < count; i++) {
      lengths[i] = in.readInt();
      sum += lengths[i];
      if (lengths[i] < 0 || sum > payloadBytes) {
        break;
      }
    }
    if (sum != payloadBytes) {
      throw new IllegalArgumentException(
          "a frame's blocks have %d bytes of %d".formatted(sum, payloadBytes));
    }
    List<Slice> blocks = new ArrayList<>(count);
    for (int length : lengths) {
      blocks.add(Slice.of(room.apply(length)));
    }
    return blocks;
  }
}
