package org.cartostream.ros.bag;

import com.github.luben.zstd.Zstd;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.ros.serialization.WireWriter;

/**
 * Writes an MCAP file (mcap.dev/spec, version 0): messages of ROS 2 in chunks packed by zstd, each
 * followed by its index, and a summary at the end. {@link #endChunk} writes a chunk into the file;
 * a file without its end can be read up to the last whole chunk.
 *
 * <p>Owns the open file, the chunk that is being filled, and the index. Not thread-safe.
 */
public final class McapWriter implements Closeable {

  /**
   * Size after which a chunk is ended, bytes: large enough to compress well, small enough to seek
   * in.
   */
  static final int CHUNK_BYTES = 1 << 20;

  /** Bytes with which a file begins and ends. */
  static final byte[] MAGIC = {(byte) 0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

  private static final String COMPRESSION = "zstd";

  private static final int HEADER = 0x01;
  static final int FOOTER = 0x02;
  static final int SCHEMA = 0x03;
  static final int CHANNEL = 0x04;
  static final int MESSAGE = 0x05;
  static final int CHUNK = 0x06;
  private static final int MESSAGE_INDEX = 0x07;
  private static final int CHUNK_INDEX = 0x08;
  static final int STATISTICS = 0x0b;
  private static final int SUMMARY_OFFSET = 0x0e;
  private static final int DATA_END = 0x0f;

  /** A topic of the file, for {@link #write}. */
  public static final class Channel {

    private final int id;
    private long messages;

    private Channel(int id) {
      this.id = id;
    }
  }

  private record Entry(long stampNanos, long offset) {}

  /** The span of the stamps of some messages; both 0 if there are none, as the format has it. */
  private static final class Span {

    private long first;
    private long last;
    private boolean begun;

    void add(long stampNanos) {
      first = begun ? Math.min(first, stampNanos) : stampNanos;
      last = begun ? Math.max(last, stampNanos) : stampNanos;
      begun = true;
    }
  }

  private final FileChannel file;
  private final List<RecordBytes> schemas = new ArrayList<>();
  private final List<RecordBytes> topics = new ArrayList<>();
  private final List<RecordBytes> chunks = new ArrayList<>();
  private final List<Channel> channels = new ArrayList<>();
  private final Span all = new Span();

  private RecordBytes chunk = new RecordBytes();
  private Span ofChunk = new Span();
  private Map<Integer, List<Entry>> index = new TreeMap<>();

  /** End of the last whole record, as a position in the file. */
  private long wholeEnd;

  private boolean closed;

  private McapWriter(FileChannel file) {
    this.file = file;
  }

  /**
   * Creates a file; replaces an existing one.
   *
   * @param library name of the writing program, for people
   */
  public static McapWriter create(Path path, String library) throws IOException {
    FileChannel file =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    McapWriter writer = new McapWriter(file);
    try {
      writer.append(MAGIC);
      writer.append(new RecordBytes().text("ros2").text(library).as(HEADER));
      return writer;
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Adds a topic with ROS 2 messages in CDR; rosbag2 reads no file that has another encoding, too.
   *
   * @param qos quality of service with which players of the file are to publish the topic
   */
  public Channel topic(String topic, MessageType<?> type, TopicQos qos) {
    int schema = schemas.size() + 1;
    RecordBytes record =
        new RecordBytes()
            .number16(schema)
            .text(type.ros2Name())
            .text("ros2msg")
            .text(type.ros2Text());
    schemas.add(record);
    chunk.record(SCHEMA, record); // Whoever reads from the front meets it before its messages.
    Channel channel = new Channel(channels.size());
    channels.add(channel);
    record =
        new RecordBytes()
            .number16(channel.id)
            .number16(schema)
            .text(topic)
            .text("cdr")
            .block(new RecordBytes().text("offered_qos_profiles").text(offered(qos)));
    topics.add(record);
    chunk.record(CHANNEL, record);
    return channel;
  }

  /**
   * Returns a QoS profile in rosbag2's YAML, with the numeric enumerations of Humble, which Jazzy
   * reads too.
   */
  private static String offered(TopicQos qos) {
    String forever = "\n    sec: 9223372036\n    nsec: 854775807";
    return "- history: 1\n  depth: %d\n  reliability: %d\n  durability: %d"
            .formatted(qos.depth(), qos.reliable() ? 1 : 2, qos.latched() ? 1 : 2)
        + "\n  deadline:"
        + forever
        + "\n  lifespan:"
        + forever
        + "\n  liveliness: 1\n  liveliness_lease_duration:"
        + forever
        + "\n  avoid_ros_namespace_conventions: false";
  }

  /**
   * Adds a message.
   *
   * @param stampNanos time, nanoseconds since 1970-01-01 UTC; a negative one counts as 0
   */
  public void write(Channel channel, long stampNanos, byte[] message) throws IOException {
    long stamp = Math.max(0, stampNanos);
    index.computeIfAbsent(channel.id, any -> new ArrayList<>()).add(new Entry(stamp, chunk.size()));
    chunk.record(
        MESSAGE,
        new RecordBytes()
            .number16(channel.id)
            .number32((int) channel.messages++)
            .number64(stamp)
            .number64(stamp)
            .raw(message));
    ofChunk.add(stamp);
    all.add(stamp);
    if (chunk.size() >= CHUNK_BYTES) {
      endChunk();
    }
  }

  /** Writes all messages so far into the file, so that they survive the death of this process. */
  public void endChunk() throws IOException {
    if (chunk.size() == 0) {
      return;
    }
    byte[] plain = chunk.bytes();
    CRC32 crc = new CRC32();
    crc.update(plain);
    byte[] packed = Zstd.compress(plain);
    long start = file.position();
    byte[] whole =
        new RecordBytes()
            .number64(ofChunk.first)
            .number64(ofChunk.last)
            .number64(plain.length)
            .number32((int) crc.getValue())
            .text(COMPRESSION)
            .number64(packed.length)
            .raw(packed)
            .as(CHUNK);
    append(whole);
    long indexStart = file.position();
    RecordBytes offsets = new RecordBytes();
    for (Map.Entry<Integer, List<Entry>> ofChannel : index.entrySet()) {
      offsets.number16(ofChannel.getKey()).number64(file.position());
      RecordBytes entries = new RecordBytes();
      for (Entry entry : ofChannel.getValue()) {
        entries.number64(entry.stampNanos()).number64(entry.offset());
      }
      append(new RecordBytes().number16(ofChannel.getKey()).block(entries).as(MESSAGE_INDEX));
    }
    chunks.add(
        new RecordBytes()
            .number64(ofChunk.first)
            .number64(ofChunk.last)
            .number64(start)
            .number64(whole.length)
            .block(offsets)
            .number64(file.position() - indexStart)
            .text(COMPRESSION)
            .number64(packed.length)
            .number64(plain.length));
    chunk = new RecordBytes();
    ofChunk = new Span();
    index = new TreeMap<>();
  }

  /**
   * Closes the file without its end, behind the last chunk that is whole: for a file that cannot be
   * written any further.
   */
  public void abandon() throws IOException {
    closed = true;
    try (file) {
      file.truncate(wholeEnd);
    }
  }

  /** Ends the file with its summary. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (file) {
      endChunk();
      append(new RecordBytes().number32(0).as(DATA_END)); // 0: no checksum of all.
      long summary = file.position();
      RecordBytes groups = new RecordBytes();
      group(SCHEMA, schemas, groups);
      group(CHANNEL, topics, groups);
      group(STATISTICS, List.of(statistics()), groups);
      group(CHUNK_INDEX, chunks, groups);
      long offsets = file.position();
      append(groups.bytes());
      append(new RecordBytes().number64(summary).number64(offsets).number32(0).as(FOOTER));
      append(MAGIC);
    }
  }

  private void group(int op, List<RecordBytes> records, RecordBytes groups) throws IOException {
    if (records.isEmpty()) {
      return;
    }
    long start = file.position();
    for (RecordBytes record : records) {
      append(record.as(op));
    }
    groups.record(
        SUMMARY_OFFSET,
        new RecordBytes().number8(op).number64(start).number64(file.position() - start));
  }

  private RecordBytes statistics() {
    RecordBytes counts = new RecordBytes();
    channels.forEach(channel -> counts.number16(channel.id).number64(channel.messages));
    return new RecordBytes()
        .number64(channels.stream().mapToLong(channel -> channel.messages).sum())
        .number16(schemas.size())
        .number32(channels.size())
        .number32(0) // Attachments,
        .number32(0) // and metadata.
        .number32(chunks.size())
        .number64(all.first)
        .number64(all.last)
        .block(counts);
  }

  private void append(byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      file.write(buffer);
    }
    wholeEnd = file.position();
  }

  /** The bytes of a record's content, or of several whole records. */
  private static final class RecordBytes {

    private final WireWriter out = new WireWriter();

    RecordBytes number8(int value) {
      out.room(Byte.BYTES).put((byte) value);
      return this;
    }

    RecordBytes number16(int value) {
      out.room(Short.BYTES).putShort((short) value);
      return this;
    }

    RecordBytes number32(int value) {
      out.room(Integer.BYTES).putInt(value);
      return this;
    }

    RecordBytes number64(long value) {
      out.room(Long.BYTES).putLong(value);
      return this;
    }

    RecordBytes raw(byte[] bytes) {
      out.room(bytes.length).put(bytes);
      return this;
    }

    RecordBytes text(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return number32(bytes.length).raw(bytes);
    }

    /** Appends a list or map, with its length in bytes before it. */
    RecordBytes block(RecordBytes elements) {
      return number32(elements.size()).raw(elements.bytes());
    }

    /** Appends a whole record. */
    RecordBytes record(int op, RecordBytes content) {
      return raw(content.as(op));
    }

    byte[] as(int op) {
      byte[] content = bytes();
      RecordBytes whole = new RecordBytes().number8(op).number64(content.length).raw(content);
      return whole.bytes();
    }

    int size() {
      return out.size();
    }

    byte[] bytes() {
      return out.bytes();
    }
  }
}
