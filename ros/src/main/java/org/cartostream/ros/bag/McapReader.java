package org.cartostream.ros.bag;

import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.ros.unpack.UnpackLimit;

/**
 * The messages of an MCAP file (mcap.dev/spec, version 0), as ROS 2's rosbag2 writes it, and some
 * recorders of ROS 1: record by record from front to back. A damaged chunk is left out, as {@code
 * mcap recover} does; after any other damaged record, reading goes on at the next chunk.
 *
 * <p>A message can be read again by its {@link Place}. Owns the chunk that is being read, and the
 * schemas and channels met so far. Not thread-safe.
 */
public final class McapReader extends ChunkedFile<McapMessage> {

  private static final byte[] MAGIC = McapWriter.MAGIC;

  /**
   * Greatest code of a record in the specification; codes from 0x80 on are free for private use.
   */
  private static final int LAST_OP = 0x0f;

  private static final int FIRST_OWN_OP = 0x80;

  static final int RECORD_HEAD_BYTES = 1 + Long.BYTES;
  private static final int FOOTER_BYTES = RECORD_HEAD_BYTES + 2 * Long.BYTES + Integer.BYTES;

  /**
   * Position of a message in its file.
   *
   * @param record position of the record with the message: a chunk, or a message record
   * @param number index among the messages of that record, from 0
   */
  public record Place(long record, int number) {}

  private final Map<Integer, String> schemas = new HashMap<>();
  private final Map<Integer, McapMessage.Channel> channels = new HashMap<>();

  /** The records of the chunk that is being read; null outside of a chunk. */
  private ByteBuffer chunk;

  /**
   * Position of the record that is being read; below, the number of its messages that were
   * returned.
   */
  private long recordStart;

  private int ofRecord;

  /**
   * Unpacked length of all chunks so far, bytes, which is limited in addition to that of each
   * chunk.
   */
  private long unpackedBytes;

  private boolean hasChunks;
  private boolean hasEnd;

  /** Number of messages by the statistics at the file's end; -1 without statistics. */
  private long counted = -1;

  private McapReader(Path file) throws IOException {
    super(file);
  }

  /** True if a file begins as an MCAP file does. */
  static boolean isMcap(Path file) throws IOException {
    return SeekableFile.begins(file, MAGIC);
  }

  /**
   * Opens a file.
   *
   * @throws BagFormatException if the file does not begin as an MCAP file
   */
  public static McapReader open(Path file) throws IOException {
    if (!isMcap(file)) {
      throw new BagFormatException(file + " is no MCAP file: it does not begin as one does");
    }
    McapReader reader = new McapReader(file);
    try {
      reader.readSummary();
      reader.in.seek(MAGIC.length);
      return reader;
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  /** False if the file was cut off; valid when the file was read to its end. */
  public boolean hasEnd() {
    return hasEnd;
  }

  /** Returns the number of parts of the file that could not be read so far. */
  public int unreadParts() {
    return damages.unreadParts();
  }

  /** Returns the position of the message that {@link #next} returned last. */
  public Place place() {
    return new Place(recordStart, ofRecord - 1);
  }

  /**
   * Reads the messages of a record again, in the order of their numbers; the file must have been
   * read to its end.
   *
   * @param record position of the record, see {@link Place}
   * @throws IOException if the file has changed, and they are not there
   */
  public List<McapMessage> messages(long record) throws IOException {
    in.seek(record);
    unpackedBytes = 0; // Who plays a file may go through it as often as he likes.
    List<McapMessage> messages = new ArrayList<>();
    McapMessage message = nextOfFile();
    while (message != null || isInChunk) {
      if (message != null) {
        messages.add(message);
      }
      message = isInChunk ? nextOfChunk() : null;
    }
    return messages;
  }

  // --- the file's own records ------------------------------------------------------------------

  @Override
  McapMessage nextOfFile() throws IOException {
    long start = in.position();
    if (in.remaining() == 0) {
      damages.add("it ends without a footer: what may be missing cannot be told");
      end();
      return null;
    }
    try {
      int op = in.readByte();
      long length = in.readLong();
      if (!isOp(op) || length < 0) {
        goOnAfter(start, "no record");
        return null;
      }
      if (length > in.remaining()) {
        goOnAfter(start, "a record that reaches beyond the file's end");
        return null;
      }
      if (op == McapWriter.FOOTER) {
        endAt(start);
        return null;
      }
      if (length > UnpackLimit.blockBytes()) {
        damages.add(start, "a record is left out: it is " + UnpackLimit.tooLong(length));
        damages.unread(length);
        in.seek(in.position() + length);
        return null;
      }
      ByteBuffer record = buffer(in.readBytes((int) length));
      recordStart = start;
      ofRecord = 0;
      if (op == McapWriter.CHUNK) {
        hasChunks = true;
        if (UnpackLimit.isTooMuch(in.size(), unpackedBytes)) {
          throw new BagFormatException(
              "%s unpacks to more than %d times its %d bytes, as no recording does"
                  .formatted(file, UnpackLimit.MAX_RATIO_OF_FILE, in.size()));
        }
        chunk = unpacked(record);
        isInChunk = true;
        return null;
      }
      return take(op, record);
    } catch (EOFException e) {
      cutOff(start);
      end();
      return null;
    } catch (BufferUnderflowException e) {
      damages.add(start, "a record is shorter than its fields");
      goOnInside(start + 1, in.position() - start);
      return null;
    }
  }

  static boolean isOp(int op) {
    return (op > 0 && op <= LAST_OP) || op >= FIRST_OWN_OP;
  }

  /** Checks that the footer at a position is the last record, and ends the file. */
  private void endAt(long footer) throws IOException {
    long end = footer + FOOTER_BYTES + MAGIC.length;
    hasEnd = end <= in.size();
    if (end < in.size()) {
      damages.add(end, "%d bytes follow its end".formatted(in.size() - end));
      damages.unread(in.size() - end);
    }
    end();
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Continues after a position without a readable record: at the next chunk, or if there is none at
   * the next message.
   */
  private void goOnAfter(long start, String what) throws IOException {
    long next =
        hasChunks
            ? nextChunk(start + 1, in.size())
            : McapMessage.next(in, start + 1, channels.keySet());
    goOnAfter(start, what, next, "one");
    if (next < 0) {
      end();
    }
  }

  @Override
  long nextChunk(long from, long to) throws IOException {
    return McapChunk.next(in, from, to);
  }

  /** Reads schemas, channels and counts from the summary at the file's end, if there is one. */
  private void readSummary() throws IOException {
    long end = in.size() - MAGIC.length - FOOTER_BYTES;
    if (end < MAGIC.length) {
      return;
    }
    in.seek(end);
    if (in.readByte() != McapWriter.FOOTER || in.readLong() != FOOTER_BYTES - RECORD_HEAD_BYTES) {
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
        boolean isWanted =
            op == McapWriter.STATISTICS || op == McapWriter.SCHEMA || op == McapWriter.CHANNEL;
        if (!isWanted || length > UnpackLimit.messageBytes()) {
          in.seek(in.position() + length);
          continue;
        }
        ByteBuffer record = buffer(in.readBytes((int) length));
        if (op == McapWriter.STATISTICS) {
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

  /** Unpacks the records of a chunk; empty if the chunk is damaged. */
  private ByteBuffer unpacked(ByteBuffer record) throws IOException {
    try {
      ByteBuffer content = McapChunk.unpacked(record);
      unpackedBytes += content.remaining();
      return content;
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
        recordStart, "a chunk of %.1f s is left out: %s".formatted(seconds, why.getMessage()));
    goOnInside(recordStart + 1, in.position() - recordStart);
  }

  @Override
  McapMessage nextOfChunk() throws IOException {
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
        McapMessage message = take(op, record);
        if (message != null) {
          return message;
        }
      }
    } catch (BufferUnderflowException e) {
      damages.add(recordStart, "a chunk has a record that is shorter than its fields");
      goOnInside(recordStart + 1, chunk.remaining());
    }
    isInChunk = false;
    chunk = null; // The next one is read without it in memory.
    return null;
  }

  // --- records ---------------------------------------------------------------------------------

  /** Notes a schema or channel, or returns the message in a record; else null. */
  private McapMessage take(int op, ByteBuffer record) {
    if (op == McapWriter.SCHEMA) {
      describe(schemas, number(record), McapChunk.text(record));
    } else if (op == McapWriter.CHANNEL) {
      int id = number(record);
      String type = schemas.getOrDefault(number(record), "");
      String topic = McapChunk.text(record);
      describe(channels, id, McapMessage.Channel.of(topic, type, McapChunk.text(record)));
    } else if (op == McapWriter.MESSAGE) {
      return message(record);
    }
    return null;
  }

  private McapMessage message(ByteBuffer record) {
    McapMessage.Channel channel = channels.get(number(record));
    record.getInt(); // Its number in the channel.
    long atNanos = record.getLong();
    record.getLong(); // When it was published.
    if (channel == null) {
      orphans++;
      return null;
    }
    // Of a message that is too long to be decoded, only the first bytes are kept.
    byte[] bytes = new byte[Math.min(record.remaining(), UnpackLimit.messageBytes() + 1)];
    record.get(bytes);
    ofRecord++;
    return new McapMessage(channel, atNanos, bytes);
  }

  private void end() throws BagFormatException {
    finish("channels", "none, lz4 and zstd");
    if (counted > read()) {
      damages.lost(counted - read());
      damages.add(
          (counted - read()) + " of the " + counted + " messages that its summary counts are lost");
    }
  }

  private static int number(ByteBuffer record) {
    return Short.toUnsignedInt(record.getShort());
  }
}
