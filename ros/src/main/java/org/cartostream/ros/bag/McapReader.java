package org.cartostream.ros.bag;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.cartostream.ros.unpack.UnpackLimit;

/**
 * The messages of an MCAP file (mcap.dev/spec, version 0), as ROS 2's rosbag2 writes it, and some
 * recorders of ROS 1: record by record from front to back. A chunk that is damaged is left out, as
 * {@code mcap recover} does; where a record is, reading goes on at the next chunk.
 *
 * <p>Owns the open file, the chunk that is being read, the schemas and channels met so far, and
 * what is wrong with the file. Memory does not grow with the file's length.
 */
final class McapReader implements MessageFile {

  private static final byte[] MAGIC = {(byte) 0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

  private static final int OP_FOOTER = 0x02;
  private static final int OP_SCHEMA = 0x03;
  private static final int OP_CHANNEL = 0x04;
  private static final int OP_MESSAGE = 0x05;
  private static final int OP_STATISTICS = 0x0b;

  /** The greatest that the specification knows; from 0x80 on they are anybody's own. */
  private static final int LAST_OP = 0x0f;

  private static final int FIRST_OWN_OP = 0x80;

  static final int RECORD_HEAD_BYTES = 1 + Long.BYTES;
  private static final int FOOTER_BYTES = RECORD_HEAD_BYTES + 2 * Long.BYTES + Integer.BYTES;

  private final Path file;
  private final SeekableFile in;
  private final DamageLog damages = new DamageLog();
  private final Map<Integer, String> schemas = new HashMap<>();
  private final Map<Integer, McapMessage.Channel> channels = new HashMap<>();

  /** The records of the chunk that is being read; null between two. */
  private ByteBuffer chunk;

  private long chunkStart;
  private boolean hasChunks;
  private long read;

  /** Messages that the statistics at the file's end count; -1 if there are none. */
  private long counted = -1;

  private long orphans;
  private String unknownCompression = "";
  private boolean finished;

  private McapReader(Path file, SeekableFile in) {
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
    McapReader reader = new McapReader(file, new SeekableFile(file));
    try {
      reader.readSummary();
      reader.in.seek(MAGIC.length);
      return reader;
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  @Override
  public ReadCoverage coverage() {
    return damages.coverage(in.size());
  }

  @Override
  public RecordedMessage next() throws IOException {
    while (!finished) {
      RecordedMessage message = chunk == null ? nextOfFile() : nextOfChunk();
      if (message != null) {
        read++;
        return message;
      }
    }
    return null;
  }

  // --- the file's own records ------------------------------------------------------------------

  private RecordedMessage nextOfFile() throws IOException {
    long start = in.position();
    if (in.remaining() == 0) {
      damages.add("it ends without a footer: what may be missing cannot be told");
      finish();
      return null;
    }
    try {
      int op = in.readByte();
      long length = in.readLong();
      if (!isOp(op) || length < 0) {
        goOnAfter(start, "bytes are no record");
        return null;
      }
      if (length > in.remaining()) {
        goOnAfter(start, "bytes are a record that reaches beyond the file's end");
        return null;
      }
      if (op == OP_FOOTER) {
        end(start);
        return null;
      }
      if (length > UnpackLimit.blockBytes()) {
        damages.add(start, "a record is left out: it is " + UnpackLimit.tooLong(length));
        damages.unread(length);
        in.seek(in.position() + length);
        return null;
      }
      ByteBuffer record = buffer(in.readBytes((int) length));
      if (op == McapChunk.OP) {
        chunkStart = start;
        hasChunks = true;
        chunk = unpacked(record);
        return null;
      }
      return take(op, record);
    } catch (EOFException e) {
      damages.add(start, "the file ends inside a record");
      damages.unread(in.size() - start);
      finish();
      return null;
    } catch (BufferUnderflowException e) {
      damages.add(start, "a record is shorter than its fields");
      goOnInside(start, in.position() - start);
      return null;
    }
  }

  static boolean isOp(int op) {
    return (op > 0 && op <= LAST_OP) || op >= FIRST_OWN_OP;
  }

  /** The footer at a position should be the last record. */
  private void end(long footer) throws IOException {
    long end = footer + FOOTER_BYTES + MAGIC.length;
    if (end < in.size()) {
      damages.add(end, "%d bytes follow its end".formatted(in.size() - end));
      damages.unread(in.size() - end);
    }
    finish();
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * What stands at a position is no record that can be read: goes on at the next chunk, or at the
   * next message where there are none.
   */
  private void goOnAfter(long start, String what) throws IOException {
    long next =
        hasChunks
            ? McapChunk.next(in, start + 1)
            : McapMessage.next(in, start + 1, channels.keySet());
    if (next < 0) {
      next = in.size();
    }
    boolean isEnd = next == in.size();
    damages.add(
        start,
        "%s%d %s%s"
            .formatted(
                isEnd ? "the last " : "",
                next - start,
                what,
                isEnd ? "" : "; the next one is read"));
    damages.unread(next - start);
    in.seek(next);
    if (isEnd) {
      finish();
    }
  }

  /** Reads schemas, channels and counts from the summary at the file's end, if there is one. */
  private void readSummary() throws IOException {
    long end = in.size() - MAGIC.length - FOOTER_BYTES;
    if (end < MAGIC.length) {
      return;
    }
    in.seek(end);
    if (in.readByte() != OP_FOOTER || in.readLong() != FOOTER_BYTES - RECORD_HEAD_BYTES) {
      return; // Reading the file finds that out, too.
    }
    long summary = in.readLong();
    if (summary <= 0 || summary >= end) {
      return;
    }
    in.seek(summary);
    try {
      while (in.position() < end) {
        int op = in.readByte();
        long length = in.readLong();
        if (!isOp(op) || length < 0 || length > end - in.position()) {
          damages.add(in.position(), "its summary has what is no record");
          return;
        }
        boolean isWanted = op == OP_STATISTICS || op == OP_SCHEMA || op == OP_CHANNEL;
        if (!isWanted || length > UnpackLimit.messageBytes()) {
          in.seek(in.position() + length);
          continue;
        }
        ByteBuffer record = buffer(in.readBytes((int) length));
        if (op == OP_STATISTICS) {
          counted = record.getLong();
        } else {
          take(op, record);
        }
      }
    } catch (EOFException | BufferUnderflowException e) {
      damages.add("its summary is damaged");
    }
  }

  // --- chunks ----------------------------------------------------------------------------------

  /** The records of a chunk; none if it is damaged. */
  private ByteBuffer unpacked(ByteBuffer record) throws IOException {
    try {
      return McapChunk.unpacked(record);
    } catch (McapChunk.UnknownCompressionException e) {
      unknownCompression = e.compression();
      leaveOut(record, e);
    } catch (IOException e) {
      leaveOut(record, e);
    }
    return buffer(new byte[0]);
  }

  private void leaveOut(ByteBuffer record, IOException why) throws IOException {
    double seconds = Math.max(0, record.getLong(Long.BYTES) - record.getLong(0)) / 1e9;
    damages.add(
        chunkStart, "a chunk of %.1f s is left out: %s".formatted(seconds, why.getMessage()));
    goOnInside(chunkStart, in.position() - chunkStart);
  }

  /**
   * A chunk is damaged, and so may be its length: what it has is not read, up to the next chunk
   * that it seems to hold, if it does.
   *
   * @param unread bytes of it up to its end, as its length has it
   */
  private void goOnInside(long start, long unread) throws IOException {
    long end = in.position();
    long next = McapChunk.next(in, start + 1);
    boolean isInside = next >= 0 && next < end;
    in.seek(isInside ? next : end);
    damages.unread(isInside ? Math.max(0, unread - (end - next)) : unread);
  }

  /** The chunk's next message; null at its end, or if a record is none. */
  private RecordedMessage nextOfChunk() throws IOException {
    try {
      while (chunk.hasRemaining()) {
        int op = Byte.toUnsignedInt(chunk.get());
        long length = chunk.getLong();
        if (length < 0 || length > chunk.remaining()) {
          throw new BufferUnderflowException();
        }
        ByteBuffer record = chunk.slice(chunk.position(), (int) length);
        record.order(ByteOrder.LITTLE_ENDIAN);
        chunk.position(chunk.position() + (int) length);
        RecordedMessage message = take(op, record);
        if (message != null) {
          return message;
        }
      }
    } catch (BufferUnderflowException e) {
      damages.add(chunkStart, "a chunk has a record that is shorter than its fields");
      goOnInside(chunkStart, chunk.remaining());
    }
    chunk = null;
    return null;
  }

  // --- records ---------------------------------------------------------------------------------

  /** Takes note of a schema or channel; a message is returned. */
  private RecordedMessage take(int op, ByteBuffer record) {
    if (op == OP_SCHEMA) {
      schemas.put(number(record), McapChunk.text(record));
    } else if (op == OP_CHANNEL) {
      int id = number(record);
      String type = schemas.getOrDefault(number(record), "");
      String topic = McapChunk.text(record);
      channels.put(id, McapMessage.Channel.of(topic, type, McapChunk.text(record)));
    } else if (op == OP_MESSAGE) {
      return message(record);
    }
    return null;
  }

  private RecordedMessage message(ByteBuffer record) {
    McapMessage.Channel channel = channels.get(number(record));
    record.getInt(); // Its number in the channel.
    long atNanos = record.getLong();
    record.getLong(); // When it was published.
    if (channel == null) {
      orphans++;
      return null;
    }
    // What is too long to be decoded is told by its first bytes.
    byte[] bytes = new byte[Math.min(record.remaining(), UnpackLimit.messageBytes() + 1)];
    record.get(bytes);
    return new McapMessage(channel, atNanos, bytes);
  }

  private void finish() throws BagFormatException {
    finished = true;
    if (orphans > 0) {
      damages.add(orphans + " messages are of channels that it does not describe");
    }
    if (counted > read) {
      damages.lost(counted - read);
      damages.add(
          (counted - read) + " of the " + counted + " messages that its summary counts are lost");
    }
    if (read == 0 && !unknownCompression.isEmpty()) {
      throw new BagFormatException(
          file + " is packed by '" + unknownCompression + "'; none, lz4 and zstd can be read");
    }
  }

  private static int number(ByteBuffer record) {
    return Short.toUnsignedInt(record.getShort());
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
