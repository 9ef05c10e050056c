package org.cartostream.ros.mcap;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.ros.bag.McapChunk;
import org.cartostream.ros.bag.SeekableFile;
import org.cartostream.ros.unpack.UnpackLimit;

/**
 * Random access to the chunks of an MCAP file (mcap.dev/spec, version 0) by the index at its end. A
 * file without its end, as of a recorder that was killed, has none: there the heads of its records
 * tell where chunks are, up to the last that is whole.
 *
 * <p>Owns the open file, and the topics met so far. Thread-safe.
 */
public final class McapFile implements Closeable {

  private static final int OP_FOOTER = 0x02;
  private static final int OP_CHANNEL = 0x04;
  private static final int OP_MESSAGE = 0x05;
  private static final int OP_CHUNK_INDEX = 0x08;

  private static final int HEAD_BYTES = 1 + Long.BYTES;
  private static final int FOOTER_BYTES = HEAD_BYTES + 2 * Long.BYTES + Integer.BYTES;

  /**
   * A message.
   *
   * @param topic empty if the file does not describe its channel
   * @param bytes as they were written
   */
  public record Message(String topic, long stampNanos, byte[] bytes) {}

  /** A record's content in the file. */
  private record Span(long start, int length) {}

  private record Head(int op, long length) {}

  private final Path path;
  private final SeekableFile in;
  private final List<Span> chunks = new ArrayList<>();
  private final Map<Integer, String> topics = new HashMap<>();
  private final BitSet damaged = new BitSet();
  private boolean hasEnd;

  private McapFile(Path path, SeekableFile in) {
    this.path = path;
    this.in = in;
  }

  /**
   * Opens a file and reads its index.
   *
   * @throws IOException if it cannot be read, or is no MCAP file
   */
  public static McapFile open(Path path) throws IOException {
    McapFile file = new McapFile(path, new SeekableFile(path));
    try {
      file.readIndex();
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private void readIndex() throws IOException {
    byte[] magic = McapWriter.magic();
    if (in.size() < magic.length || !Arrays.equals(in.readBytes(magic.length), magic)) {
      throw new IOException(path + " is no MCAP file: it does not begin as one does");
    }
    try {
      hasEnd = readSummary();
    } catch (EOFException | BufferUnderflowException e) {
      hasEnd = false;
    }
    if (!hasEnd) {
      chunks.clear();
      findChunks();
    }
  }

  /** False if there is none. */
  private boolean readSummary() throws IOException {
    int magic = McapWriter.magic().length;
    long footer = in.size() - magic - FOOTER_BYTES;
    if (footer < magic) {
      return false;
    }
    in.seek(footer);
    Head head = head();
    long summary = in.readLong();
    if (head.op != OP_FOOTER || summary < magic || summary >= footer) {
      return false;
    }
    in.seek(summary);
    while (in.position() < footer) {
      Head each = head();
      if (each.length < 0 || each.length > footer - in.position()) {
        return false;
      }
      if (each.op != OP_CHUNK_INDEX && each.op != OP_CHANNEL) {
        in.seek(in.position() + each.length);
        continue;
      }
      ByteBuffer record = record(new Span(in.position(), Math.toIntExact(each.length)));
      if (each.op == OP_CHANNEL) {
        addTopic(record);
      } else if (!addChunk(record)) {
        return false;
      }
    }
    return true;
  }

  private boolean addChunk(ByteBuffer index) {
    index.getLong(); // Stamp of the first message,
    index.getLong(); // and of the last.
    long start = index.getLong() + HEAD_BYTES;
    long length = index.getLong() - HEAD_BYTES;
    boolean isInside =
        start > 0
            && length >= 0
            && length <= UnpackLimit.blockBytes()
            && start <= in.size() - length;
    return isInside && chunks.add(new Span(start, (int) length));
  }

  /** Goes from record to record up to the last that is whole. */
  private void findChunks() throws IOException {
    in.seek(McapWriter.magic().length);
    while (in.remaining() >= HEAD_BYTES) {
      Head head = head();
      if (head.length < 0 || head.length > in.remaining()) {
        break;
      }
      Span span = new Span(in.position(), (int) head.length);
      if (head.op == McapChunk.OP && head.length <= UnpackLimit.blockBytes()) {
        chunks.add(span);
      }
      in.seek(span.start + head.length);
    }
    for (int i = 0; i < chunks.size(); i++) {
      messages(i); // Where topics are described is known only then.
    }
  }

  private Head head() throws IOException {
    return new Head(in.readByte(), in.readLong());
  }

  private ByteBuffer record(Span span) throws IOException {
    in.seek(span.start);
    return ByteBuffer.wrap(in.readBytes(span.length)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void addTopic(ByteBuffer channel) {
    int id = Short.toUnsignedInt(channel.getShort());
    channel.getShort(); // Its schema.
    topics.put(id, McapChunk.text(channel));
  }

  /** False if the recording was cut off. */
  public boolean hasEnd() {
    return hasEnd;
  }

  public int chunks() {
    return chunks.size();
  }

  /** Number of the requested chunks that are damaged. */
  public synchronized int damagedChunks() {
    return damaged.cardinality();
  }

  /** The messages of a chunk, in the order in which they were written; none if it is damaged. */
  public synchronized List<Message> messages(int chunk) throws IOException {
    ByteBuffer packed = record(chunks.get(chunk));
    List<Message> messages = new ArrayList<>();
    try {
      ByteBuffer records = McapChunk.unpacked(packed);
      while (records.remaining() >= HEAD_BYTES) {
        int op = records.get();
        int length = Math.toIntExact(records.getLong());
        ByteBuffer record = records.slice(records.position(), length);
        record.order(ByteOrder.LITTLE_ENDIAN);
        records.position(records.position() + length);
        if (op == OP_CHANNEL) {
          addTopic(record);
        } else if (op == OP_MESSAGE) {
          messages.add(message(record));
        }
      }
    } catch (IOException | RuntimeException e) { // The checksum, or a length, is wrong.
      damaged.set(chunk);
      return List.of();
    }
    return messages;
  }

  private Message message(ByteBuffer record) {
    String topic = topics.getOrDefault(Short.toUnsignedInt(record.getShort()), "");
    record.getInt(); // Its number in the channel.
    long stamp = record.getLong();
    record.getLong(); // When it was published.
    byte[] bytes = new byte[record.remaining()];
    record.get(bytes);
    return new Message(topic, stamp, bytes);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
