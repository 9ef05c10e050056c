package org.cartostream.ros.bag;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.cartostream.ros.serialization.MessageType;

/**
 * The messages of an MCAP file (mcap.dev/spec, version 0), as ROS 2's rosbag2 writes it, and some
 * recorders of ROS 1: record by record from front to back, without the index, so that a file whose
 * recording was cut off is read up to there.
 *
 * <p>Owns the open file, the chunk that is being read, and the schemas and channels met so far.
 * Memory does not grow with the file's length.
 */
final class McapReader implements MessageFile {

  private static final byte[] MAGIC = {(byte) 0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

  private static final int OP_SCHEMA = 0x03;
  private static final int OP_CHANNEL = 0x04;
  private static final int OP_MESSAGE = 0x05;
  private static final int OP_CHUNK = 0x06;

  /** After it, what is known already comes again in another order. */
  private static final int OP_DATA_END = 0x0f;

  /** A record or a chunk that is longer is taken for garbage. */
  private static final long MOST_BYTES = 1 << 30;

  /** How the messages of a topic are written. */
  private enum Encoding {
    CDR,
    ROS_1
  }

  /**
   * @param encoding null if it is another's, and the messages cannot be read
   */
  private record Channel(String topic, String type, Encoding encoding) {}

  private record Message(Channel channel, long atNanos, byte[] bytes) implements RecordedMessage {

    @Override
    public String topic() {
      return channel.topic();
    }

    @Override
    public boolean is(MessageType<?> type) {
      return channel.encoding() == Encoding.CDR && channel.type().equals(type.ros2Name())
          || channel.encoding() == Encoding.ROS_1 && channel.type().equals(type.name());
    }

    @Override
    public <M extends Record> M as(MessageType<M> type) {
      return channel.encoding() == Encoding.CDR ? type.decodeCdr(bytes) : type.decode(bytes);
    }
  }

  private final Path file;
  private final DataInputStream in;
  private final Map<Integer, String> schemas = new HashMap<>();
  private final Map<Integer, Channel> channels = new HashMap<>();
  private DataInputStream chunk;

  private McapReader(Path file, DataInputStream in) {
    this.file = file;
    this.in = in;
  }

  /** True if a file begins as an MCAP file does. */
  static boolean isMcap(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
    }
  }

  static McapReader open(Path file) throws IOException {
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16));
    in.skipNBytes(MAGIC.length);
    return new McapReader(file, in);
  }

  @Override
  public RecordedMessage next() throws IOException {
    try {
      while (true) {
        int op = (chunk == null ? in : chunk).read();
        if (op == OP_DATA_END || (op < 0 && chunk == null)) {
          return null;
        }
        if (op < 0) {
          chunk = null;
          continue;
        }
        ByteBuffer record = block(chunk == null ? in : chunk);
        if (op == OP_MESSAGE) {
          return message(record);
        }
        take(op, record);
      }
    } catch (EOFException cutOff) {
      return null;
    } catch (BufferUnderflowException e) {
      throw damaged("a record is shorter than its fields", e);
    }
  }

  private void take(int op, ByteBuffer record) throws IOException {
    if (op == OP_SCHEMA) {
      schemas.put(number(record), text(record));
    } else if (op == OP_CHANNEL) {
      int id = number(record);
      String type = schemas.getOrDefault(number(record), "");
      channels.put(id, new Channel(text(record), type, encoding(text(record))));
    } else if (op == OP_CHUNK) {
      chunk = new DataInputStream(new ByteArrayInputStream(unpacked(record)));
    }
  }

  private static Encoding encoding(String name) {
    return switch (name) {
      case "cdr" -> Encoding.CDR;
      case "ros1" -> Encoding.ROS_1;
      default -> null;
    };
  }

  private Message message(ByteBuffer record) throws IOException {
    int id = number(record);
    Channel channel = channels.get(id);
    if (channel == null) {
      throw damaged("a message of channel " + id + " before it", null);
    }
    record.getInt(); // Its number in the channel.
    long atNanos = record.getLong();
    record.getLong(); // When it was published.
    byte[] bytes = new byte[record.remaining()];
    record.get(bytes);
    return new Message(channel, atNanos, bytes);
  }

  private byte[] unpacked(ByteBuffer record) throws IOException {
    record.getLong(); // Of its first message.
    record.getLong(); // Of its last.
    long size = record.getLong();
    long sum = Integer.toUnsignedLong(record.getInt());
    String compression = text(record);
    long packed = record.getLong();
    if (size < 0 || size > MOST_BYTES || packed < 0 || packed > record.remaining()) {
      throw damaged("a chunk of " + size + " bytes", null);
    }
    InputStream source = new ByteArrayInputStream(record.array(), record.position(), (int) packed);
    byte[] bytes = unpack(compression, source, (int) size);
    CRC32 crc = new CRC32();
    crc.update(bytes);
    if (bytes.length != size || (sum != 0 && crc.getValue() != sum)) {
      throw damaged("a chunk's content is not what its sum says", null);
    }
    return bytes;
  }

  private byte[] unpack(String compression, InputStream source, int size) throws IOException {
    try {
      return switch (compression) {
        case "" -> source.readNBytes(size);
        case "lz4" -> new FramedLZ4CompressorInputStream(source).readNBytes(size);
        case "zstd" -> new ZstdInputStream(source).readNBytes(size);
        default ->
            throw new BagFormatException(
                file + " is packed by '" + compression + "'; none, lz4 and zstd can be read");
      };
    } catch (BagFormatException e) {
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      throw damaged("a chunk cannot be unpacked: " + e.getMessage(), e);
    }
  }

  // --- fields ----------------------------------------------------------------------------------

  private ByteBuffer block(DataInputStream from) throws IOException {
    long length = Long.reverseBytes(from.readLong());
    if (length < 0 || length > MOST_BYTES) {
      throw damaged("a record of " + Long.toUnsignedString(length) + " bytes", null);
    }
    byte[] bytes = from.readNBytes((int) length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int number(ByteBuffer record) {
    return Short.toUnsignedInt(record.getShort());
  }

  private static String text(ByteBuffer record) {
    int length = record.getInt();
    if (length < 0 || length > record.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    record.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private BagFormatException damaged(String how, Exception cause) {
    return new BagFormatException(file + " is damaged: " + how, cause);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
