package org.cartostream.ros.bag;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.regex.Pattern;
import org.cartostream.ros.RosException;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.ros.unpack.UnpackLimit;

/**
 * A message of an MCAP file or a database of rosbag2, which may be packed by itself ({@code
 * --compression-mode message}).
 *
 * @param bytes the message as in the file, possibly packed
 */
public record McapMessage(Channel channel, long atNanos, byte[] bytes)
    implements MessageFile.RecordedMessage {

  /** Minimum length of a message record, bytes: channel, number and two times. */
  private static final int MIN_BYTES = Short.BYTES + Integer.BYTES + 2 * Long.BYTES;

  /** First bytes of a message that is packed by itself; CDR begins otherwise. */
  private static final int ZSTD_MAGIC = 0xFD2FB528;

  /** Encodings of the messages of a topic. */
  private enum Encoding {
    CDR,
    ROS_1
  }

  /**
   * A topic of the file.
   *
   * @param plainType package and name of the type only, because writers decorate the type
   *     differently ({@code sensor_msgs/msg/LaserScan}, {@code sensor_msgs/LaserScan}, {@code
   *     sensor_msgs::msg::dds_::LaserScan_})
   * @param encoding encoding of the messages; null if it is not supported, so that they cannot be
   *     read
   * @param written name of the encoding in the file
   */
  record Channel(String topic, String type, String plainType, Encoding encoding, String written) {

    private static final Pattern AROUND = Pattern.compile("/msg(?=/)|/dds_(?=/)|_$");

    static Channel of(String topic, String type, String encoding) {
      return new Channel(
          topic,
          type,
          AROUND.matcher(type.replace("::", "/")).replaceAll(""),
          switch (encoding) {
            case "cdr" -> Encoding.CDR;
            case "ros1" -> Encoding.ROS_1;
            default -> null;
          },
          encoding);
    }
  }

  @Override
  public String topic() {
    return channel.topic();
  }

  @Override
  public String type() {
    return channel.encoding() == null
        ? channel.type() + " in '" + channel.written() + "', which cannot be read"
        : channel.type();
  }

  @Override
  public boolean is(MessageType<?> type) {
    return channel.encoding() != null && channel.plainType().equals(type.name());
  }

  @Override
  public <M extends Record> M as(MessageType<M> type) {
    UnpackLimit.checkMessage(bytes.length);
    byte[] plain = isPacked() ? unpacked() : bytes;
    return channel.encoding() == Encoding.CDR ? type.decodeCdr(plain) : type.decode(plain);
  }

  private boolean isPacked() {
    return bytes.length >= Integer.BYTES
        && ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt() == ZSTD_MAGIC;
  }

  private byte[] unpacked() {
    long size = Zstd.getFrameContentSize(bytes);
    if (size <= 0) {
      throw new RosException("a message packed by zstd does not say how long it is");
    }
    UnpackLimit.checkMessage(size);
    try {
      return Zstd.decompress(bytes, (int) size);
    } catch (ZstdException e) {
      throw new RosException("a message packed by zstd cannot be unpacked: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the first position from {@code from} on at which a message record seems to begin, with
   * another record or the file's end behind it; -1 if there is none.
   */
  static long next(SeekableFile in, long from, Set<Integer> channels) throws IOException {
    byte[] op = {McapWriter.MESSAGE};
    long to = in.size();
    for (long start = in.find(op, from, to); start >= 0; start = in.find(op, start + 1, to)) {
      if (isRecord(in, start, MIN_BYTES)) {
        long end = in.position();
        in.seek(start + McapReader.RECORD_HEAD_BYTES);
        boolean isKnown = channels.contains(in.readInt() & 0xffff);
        if (isKnown && (end == in.size() || isRecord(in, end, 0))) {
          return start;
        }
      }
    }
    return -1;
  }

  /**
   * True if a record of at least {@code min} bytes may begin at a position; then moves to the end
   * of that record.
   */
  private static boolean isRecord(SeekableFile in, long start, int min) throws IOException {
    in.seek(start);
    if (in.remaining() < McapReader.RECORD_HEAD_BYTES || !McapReader.isOp(in.readByte())) {
      return false;
    }
    long length = in.readLong();
    if (length < min || length > in.remaining()) {
      return false;
    }
    in.seek(in.position() + length);
    return true;
  }
}
