package org.cartostream.ros.bag;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.cartostream.ros.serialization.MessageType;

/**
 * The messages of a ROS bag (wiki.ros.org/Bags/Format/2.0), in the order in which they were
 * recorded: chunk by chunk from front to back, without the index, so that a bag whose recording was
 * cut off is read up to there.
 *
 * <p>Owns the open file, the chunk that is being read and the connections met so far. Memory does
 * not grow with the bag's length.
 */
final class BagReader implements MessageFile {

  private record Message(Connection connection, long atNanos, byte[] bytes)
      implements RecordedMessage {

    @Override
    public String topic() {
      return connection.topic();
    }

    @Override
    public boolean is(MessageType<?> type) {
      return connection.md5().equals(type.md5());
    }

    @Override
    public <M extends java.lang.Record> M as(MessageType<M> type) {
      return type.decode(bytes);
    }
  }

  /** A topic of the bag. */
  private record Connection(String topic, String md5) {}

  private static final byte[] MAGIC = "#ROSBAG V2.0\n".getBytes(StandardCharsets.US_ASCII);

  private static final int OP_MESSAGE = 0x02;
  private static final int OP_CHUNK = 0x05;
  private static final int OP_CONNECTION = 0x07;

  /** A header or a chunk that is longer is taken for garbage. */
  private static final int MOST_BYTES = 1 << 30;

  private final Path file;
  private final DataInputStream in;
  private final Map<Integer, Connection> connections = new HashMap<>();
  private DataInputStream chunk;

  private BagReader(Path file, DataInputStream in) {
    this.file = file;
    this.in = in;
  }

  /** True if a file begins as a bag does. */
  static boolean isBag(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
    }
  }

  /**
   * @throws BagFormatException if the file is no bag
   */
  static BagReader open(Path file) throws IOException {
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16));
    if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
      in.close();
      throw new BagFormatException(file + " is no ROS bag of format 2.0");
    }
    return new BagReader(file, in);
  }

  @Override
  public RecordedMessage next() throws IOException {
    while (true) {
      DataInputStream from = chunk == null ? in : chunk;
      Record record = record(from);
      if (record == null && chunk == null) {
        return null;
      }
      if (record == null) {
        chunk = null;
      } else if (record.op() == OP_CHUNK) {
        chunk = new DataInputStream(unpacked(record));
      } else if (record.op() == OP_CONNECTION) {
        connections.put(record.number("conn"), connection(record));
      } else if (record.op() == OP_MESSAGE) {
        return message(record);
      }
    }
  }

  private Message message(Record record) throws IOException {
    Connection connection = connections.get(record.number("conn"));
    if (connection == null) {
      throw new BagFormatException(
          file + " is damaged: a message of connection " + record.number("conn") + " before it");
    }
    ByteBuffer time = record.field("time", 2 * Integer.BYTES);
    long seconds = Integer.toUnsignedLong(time.getInt());
    return new Message(
        connection, TimeUnit.SECONDS.toNanos(seconds) + time.getInt(), record.data());
  }

  private Connection connection(Record record) throws IOException {
    Map<String, ByteBuffer> more = fields(record.data());
    return new Connection(text(record.field("topic", 0)), text(more.get("md5sum")));
  }

  private InputStream unpacked(Record record) throws IOException {
    InputStream packed = new ByteArrayInputStream(record.data());
    String compression = text(record.field("compression", 0));
    try {
      return switch (compression) {
        case "none" -> packed;
        case "bz2" -> new BufferedInputStream(new BZip2CompressorInputStream(packed));
        case "lz4" -> new BufferedInputStream(new FramedLZ4CompressorInputStream(packed));
        default ->
            throw new BagFormatException(
                file + " is packed by '" + compression + "'; none, bz2 and lz4 can be read");
      };
    } catch (BagFormatException e) {
      throw e;
    } catch (IOException e) {
      throw damagedChunk(e);
    }
  }

  // --- records ---------------------------------------------------------------------------------

  /** A record's header by name, and its data. */
  private record Record(Path file, Map<String, ByteBuffer> header, byte[] data) {

    private int op() throws IOException {
      return field("op", 1).get();
    }

    private int number(String name) throws IOException {
      return field(name, Integer.BYTES).getInt();
    }

    /** At least so many bytes. */
    private ByteBuffer field(String name, int bytes) throws IOException {
      ByteBuffer value = header.get(name);
      if (value == null) {
        throw new BagFormatException(file + " is damaged: a record has no '" + name + "'");
      }
      if (value.remaining() < bytes) {
        throw new BagFormatException(
            "%s is damaged: a record's '%s' has %d bytes, not %d"
                .formatted(file, name, value.remaining(), bytes));
      }
      return value.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** The next record; null at the end, also at an end that cuts a record off. */
  private Record record(DataInputStream from) throws IOException {
    try {
      byte[] header = block(from);
      return new Record(file, fields(header), block(from));
    } catch (EOFException e) {
      return null;
    } catch (BagFormatException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      if (from == in) {
        throw e;
      }
      throw damagedChunk(e); // What unpacks it stumbles over whatever it holds.
    }
  }

  private BagFormatException damagedChunk(Exception cause) {
    return new BagFormatException(file + " has a damaged chunk: " + cause.getMessage(), cause);
  }

  private byte[] block(DataInputStream from) throws IOException {
    int length = Integer.reverseBytes(from.readInt());
    if (length < 0 || length > MOST_BYTES) {
      throw new BagFormatException(
          file + " is damaged: a record of " + Integer.toUnsignedLong(length) + " bytes");
    }
    byte[] bytes = from.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }

  private Map<String, ByteBuffer> fields(byte[] header) throws IOException {
    Map<String, ByteBuffer> fields = new HashMap<>();
    ByteBuffer rest = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    while (rest.remaining() >= Integer.BYTES) {
      int length = rest.getInt();
      int start = rest.position();
      int equals = start;
      while (length > 0
          && equals < start + length
          && equals < header.length
          && header[equals] != '=') {
        equals++;
      }
      if (length <= 0 || length > rest.remaining() || equals >= start + length) {
        throw new BagFormatException(file + " is damaged: a header's field is cut off");
      }
      String name = new String(header, start, equals - start, StandardCharsets.UTF_8);
      fields.put(name, rest.slice(equals + 1, start + length - equals - 1));
      rest.position(start + length);
    }
    return fields;
  }

  private static String text(ByteBuffer value) {
    return value == null ? "" : StandardCharsets.UTF_8.decode(value.duplicate()).toString();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
