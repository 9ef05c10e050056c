package org.cartostream.ros.bag;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.unpack.UnpackLimit;

/**
 * The messages of a ROS bag (wiki.ros.org/Bags/Format/2.0), in the order in which they were
 * recorded: chunk by chunk from front to back. Where a record is damaged, reading goes on at the
 * next chunk, as {@code rosbag reindex} does; a last chunk without its length, because the recorder
 * was killed, is unpacked to the end of the file.
 *
 * <p>Owns the chunk that is being read, and the connections met so far.
 */
final class BagReader extends ChunkedFile<BagMessage> {

  private static final byte[] MAGIC = "#ROSBAG V2.0\n".getBytes(StandardCharsets.US_ASCII);

  /** The field that every chunk's header has: its length, name and value. */
  private static final byte[] CHUNK_FIELD = {4, 0, 0, 0, 'o', 'p', '=', BagRecord.CHUNK};

  /** Maximum number of bytes from the beginning of a chunk's header to that field. */
  private static final int FIELDS_BEFORE = 256;

  private static final int INDEX_ENTRY_BYTES = 12;

  private final Map<Integer, BagMessage.Connection> connections = new HashMap<>();

  /** The latest chunk, until its whole index is known; else null. */
  private BagChunk chunk;

  /** Position at which the chunk's content begins. */
  private long chunkData;

  private long chunks;

  /** Number of chunks by the bag's header; 0 if the header does not say. */
  private long headerChunks;

  /** Position at which the index is missing; 0 if it is there. */
  private long indexAt;

  /** Number of messages by the chunk infos at the file's end; -1 without chunk infos. */
  private long indexed = -1;

  private long lostOfChunks;

  private BagReader(Path file) throws IOException {
    super(file);
  }

  /** True if a file begins as a bag does. */
  static boolean isBag(Path file) throws IOException {
    return SeekableFile.begins(file, MAGIC);
  }

  /**
   * @throws BagFormatException if the file is no bag
   */
  static BagReader open(Path file) throws IOException {
    if (!isBag(file)) {
      throw new BagFormatException(file + " is no ROS bag of format 2.0");
    }
    BagReader reader = new BagReader(file);
    try {
      reader.readIndex();
      reader.in.seek(MAGIC.length);
      return reader;
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  // --- the file's own records ------------------------------------------------------------------

  @Override
  BagMessage nextOfFile() throws IOException {
    long start = in.position();
    if (in.remaining() == 0) {
      end();
      return null;
    }
    BagRecord header = headerAt(start, BagRecord.MAX_HEADER_BYTES);
    if (header == null) {
      endChunk();
      goOnAfter(start);
      return null;
    }
    int length = in.readInt();
    switch (header.op()) {
      case BagRecord.CHUNK -> beginChunk(start, header, length);
      case BagRecord.INDEX -> {
        if (chunk != null) {
          chunk.countIndexed(Integer.toUnsignedLong(header.number("count")));
        }
        skip(start, (long) INDEX_ENTRY_BYTES * Integer.toUnsignedLong(header.number("count")));
      }
      case BagRecord.CHUNK_INFO -> {
        endChunk();
        skip(start, (long) BagRecord.CHUNK_INFO_ENTRY_BYTES * header.number("count"));
      }
      default -> {
        endChunk();
        byte[] data = dataAt(start, length);
        return data == null ? null : take(header.with(data));
      }
    }
    return null;
  }

  /** Reads the header at a position, and moves behind it; null if no header is there. */
  private BagRecord headerAt(long start, int maxBytes) throws IOException {
    try {
      in.seek(start);
      int length = in.readInt();
      if (length <= 0 || length > maxBytes || length > in.remaining()) {
        return null;
      }
      BagRecord header = BagRecord.of(in.readBytes(length));
      boolean fits = header != null && header.isComplete() && in.remaining() >= Integer.BYTES;
      return fits ? header : null;
    } catch (EOFException e) {
      return null;
    }
  }

  /**
   * Returns a record's data. If it is too long to be decoded, only its first bytes are read, which
   * identify it.
   */
  private byte[] dataAt(long start, int length) throws IOException {
    if (length < 0 || length > in.remaining()) {
      endChunk();
      cutOff(start);
      return null;
    }
    if (length > UnpackLimit.blockBytes()) {
      goOnAfter(start);
      return null;
    }
    byte[] data = in.readBytes(Math.min(length, UnpackLimit.messageBytes() + 1));
    in.seek(in.position() + length - data.length);
    return data;
  }

  /**
   * Skips records by the counts in their headers: the length fields that rosbag of 2010 wrote are
   * wrong.
   */
  private void skip(long start, long bytes) throws IOException {
    if (bytes < 0 || bytes > in.remaining()) {
      endChunk();
      cutOff(start);
    } else {
      in.seek(in.position() + bytes);
    }
  }

  /** Goes on at the next chunk after a position at which no record stands. */
  private void goOnAfter(long start) throws IOException {
    long next = nextChunk(start + 1, in.size());
    boolean isZero = next < 0 && in.isZeroFrom(start);
    goOnAfter(start, isZero ? "zeros, as after a power failure" : "no record", next, "chunk");
  }

  @Override
  long nextChunk(long from, long to) throws IOException {
    for (long field = in.find(CHUNK_FIELD, from, to);
        field >= 0;
        field = in.find(CHUNK_FIELD, field + 1, to)) {
      long first = Math.max(from, field - FIELDS_BEFORE);
      for (long start = field - Integer.BYTES; start >= first; start--) {
        BagRecord header = headerAt(start, 2 * FIELDS_BEFORE);
        if (header != null && header.op() == BagRecord.CHUNK && in.position() > field) {
          return start;
        }
      }
    }
    return -1;
  }

  /**
   * Reads connections and counts from the file's end, so that the content of damaged chunks is
   * known.
   */
  private void readIndex() throws IOException {
    BagRecord header = headerAt(MAGIC.length, BagRecord.MAX_HEADER_BYTES);
    if (header == null || header.op() != BagRecord.BAG_HEADER) {
      damages.add("its header is damaged");
      return;
    }
    headerChunks = Integer.toUnsignedLong(header.number("chunk_count"));
    long index = header.longNumber("index_pos");
    if (index == 0) {
      damages.add("it has no index: what may be missing cannot be told");
      return;
    }
    BagRecord first =
        index < 0 || index >= in.size() ? null : headerAt(index, BagRecord.MAX_HEADER_BYTES);
    if (first == null) {
      indexAt = index;
      damages.add("its index is not at byte " + index + ", where its header says");
      return;
    }
    long messages = 0;
    in.seek(index);
    while (in.remaining() > 0) {
      BagRecord record = headerAt(in.position(), BagRecord.MAX_HEADER_BYTES);
      if (record == null) {
        return; // Reading the file meets it, too.
      }
      int length = in.readInt();
      if (length < 0 || length > Math.min(in.remaining(), UnpackLimit.blockBytes())) {
        return;
      }
      byte[] data = in.readBytes(length);
      if (record.op() == BagRecord.CONNECTION) {
        take(record.with(data));
      } else if (record.op() == BagRecord.CHUNK_INFO) {
        messages += BagRecord.messagesOf(data);
      }
    }
    indexed = messages;
  }

  // --- chunks ----------------------------------------------------------------------------------

  private void beginChunk(long start, BagRecord header, int length) throws IOException {
    endChunk();
    chunks++;
    BagChunk begun = new BagChunk(start, damages);
    long data = in.position();
    chunkData = data;
    boolean isCutOff = length < 0 || length > in.remaining();
    long end = data + length;
    if (length == 0 || isCutOff) {
      long next = nextChunk(data, in.size());
      end = next >= 0 ? next : in.size();
      begun.damage(
          isCutOff
              ? "a chunk reaches "
                  + (next >= 0
                      ? "beyond the next"
                      : Math.max(0, data + length - in.size()) + " bytes beyond the file's end")
              : "a chunk has no length: the recorder was killed while it wrote it");
    }
    in.seek(data);
    if (end - data > UnpackLimit.blockBytes()) {
      begun.damage("a chunk is left out: it is " + UnpackLimit.tooLong(end - data));
      damages.unread(end - data);
      in.seek(end);
    } else {
      begun.unpack(
          header.text("compression"), header.number("size"), in.readBytes((int) (end - data)));
    }
    chunk = begun;
    isInChunk = true;
  }

  @Override
  BagMessage nextOfChunk() throws IOException {
    for (BagRecord record = chunk.next(); record != null; record = chunk.next()) {
      BagMessage message = take(record);
      if (message != null) {
        chunk.countMessage();
        return message;
      }
    }
    isInChunk = false;
    if (chunk.isDamaged()) {
      goOnInside(chunkData, chunk.remaining());
    }
    return null;
  }

  /** Ends the latest chunk, whose whole index was read. */
  private void endChunk() {
    if (chunk != null) {
      lostOfChunks += chunk.end();
      unknownCompression = chunk.unknownCompression().orElse(unknownCompression);
      chunk = null;
    }
  }

  // --- messages --------------------------------------------------------------------------------

  /** Notes the connection in a record, or returns the message in it; else null. */
  private BagMessage take(BagRecord header) {
    if (header.op() == BagRecord.CONNECTION) {
      Map<String, ByteBuffer> more = BagRecord.fields(header.data());
      if (more != null) {
        describe(
            connections,
            header.number("conn"),
            new BagMessage.Connection(
                header.text("topic"),
                BagRecord.text(more.getOrDefault("type", ByteBuffer.allocate(0))),
                BagRecord.text(more.get("md5sum"))));
      }
      return null;
    }
    if (header.op() != BagRecord.MESSAGE) {
      return null;
    }
    BagMessage.Connection connection = connections.get(header.number("conn"));
    if (connection == null) {
      orphans++;
      return null;
    }
    ByteBuffer time = header.fields().get("time");
    long seconds = Integer.toUnsignedLong(time.getInt(0));
    long nanos = TimeUnit.SECONDS.toNanos(seconds) + time.getInt(Integer.BYTES);
    return new BagMessage(connection, nanos, header.data());
  }

  private void end() throws BagFormatException {
    endChunk();
    if (chunks < headerChunks) {
      damages.had(indexAt); // Not if all are there: then the header is wrong.
      damages.add(
          "it has %d of the %d chunks that its header counts".formatted(chunks, headerChunks));
    }
    finish("connections", "none, bz2 and lz4");
    long lost = indexed < 0 ? lostOfChunks : Math.max(0, indexed - read());
    damages.lost(lost);
    if (lost > 0) {
      damages.add(
          lost
              + (indexed < 0 ? "" : " of the " + indexed)
              + " messages that its index counts could not be read");
    }
  }
}
