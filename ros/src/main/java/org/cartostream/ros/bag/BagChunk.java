package org.cartostream.ros.bag;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.cartostream.ros.unpack.UnpackLimit;

/**
 * A chunk of a bag: its records, as far as they can be unpacked.
 *
 * <p>Owns the unread rest of the chunk, the number of messages that were read, and their number by
 * the index. Only the first damage of a chunk is reported; others most likely follow from it.
 */
final class BagChunk {

  private static final ByteArrayInputStream NOTHING = new ByteArrayInputStream(new byte[0]);

  private final long start;
  private final DamageLog damages;
  private ByteArrayInputStream packedBytes = NOTHING;
  private DataInputStream in = new DataInputStream(NOTHING);
  private boolean damaged;

  /**
   * Unpacked size of the chunk by its header, bytes; below, the bytes of the records that were
   * read.
   */
  private long size;

  private long readBytes;

  private long read;
  private long indexed;
  private String unknownCompression;

  /**
   * @param start position of the chunk in the file
   */
  BagChunk(long start, DamageLog damages) {
    this.start = start;
    this.damages = damages;
  }

  /** Reports damage of the chunk, if it is the first. */
  void damage(String what) {
    if (!damaged) {
      damages.add(start, what);
    }
    damaged = true;
  }

  private void stop(String what) {
    damage("a chunk %s, after %d of its %d bytes".formatted(what, readBytes, size));
  }

  /**
   * Begins to unpack the chunk.
   *
   * @param unpackedBytes unpacked size by the header
   */
  void unpack(String compression, int unpackedBytes, byte[] packed) {
    size = Integer.toUnsignedLong(unpackedBytes);
    packedBytes = new ByteArrayInputStream(packed);
    try {
      switch (compression) {
        case "none" -> in = new DataInputStream(packedBytes);
        case "bz2" -> in = bounded(new BZip2CompressorInputStream(packedBytes), packed.length);
        case "lz4" -> in = bounded(new FramedLZ4CompressorInputStream(packedBytes), packed.length);
        default -> {
          unknownCompression = compression;
          stop("is packed by '" + compression + "', where none, bz2 and lz4 can be read");
        }
      }
    } catch (IOException | RuntimeException e) {
      stop("cannot be unpacked (" + e.getMessage() + ")");
    }
  }

  private static DataInputStream bounded(InputStream unpacked, int packedBytes) {
    return new DataInputStream(new BufferedInputStream(UnpackLimit.bounded(unpacked, packedBytes)));
  }

  /** Returns the next record; null at the end, or at damage. */
  BagRecord next() {
    try {
      BagRecord record = record();
      if (record != null) {
        return record;
      }
    } catch (EOFException e) {
      stop("ends inside a record");
    } catch (IOException | RuntimeException e) {
      // The decompressor may throw anything at damaged bytes.
      stop("cannot be unpacked to its end (" + e.getMessage() + ")");
    }
    return null;
  }

  boolean isDamaged() {
    return damaged;
  }

  /** Returns the number of packed bytes that were not read. */
  int remaining() {
    return packedBytes.available();
  }

  private BagRecord record() throws IOException {
    byte[] first = in.readNBytes(Integer.BYTES);
    if (first.length == 0) {
      return null;
    }
    if (first.length < Integer.BYTES) {
      throw new EOFException();
    }
    int length = ByteBuffer.wrap(first).order(ByteOrder.LITTLE_ENDIAN).getInt();
    boolean isHeader = length > 0 && length <= BagRecord.MAX_HEADER_BYTES;
    byte[] fields = new byte[isHeader ? length : 0];
    in.readFully(fields);
    BagRecord header = BagRecord.of(fields);
    if (header == null || !header.isComplete()) {
      stop("has what is no record");
      return null;
    }
    int dataLength = Math.max(0, Integer.reverseBytes(in.readInt()));
    if (dataLength > UnpackLimit.blockBytes()) {
      throw new IOException("a record is " + UnpackLimit.tooLong(dataLength));
    }
    // Of a message that is too long to be decoded, only the first bytes are kept.
    byte[] data = in.readNBytes(Math.min(dataLength, UnpackLimit.messageBytes() + 1));
    in.skipNBytes(dataLength - data.length);
    readBytes += 2L * Integer.BYTES + length + dataLength;
    return header.with(data);
  }

  /** Counts a message that was read. */
  void countMessage() {
    read++;
  }

  /** Adds the number of messages in an index record of the chunk. */
  void countIndexed(long messages) {
    indexed += messages;
  }

  /**
   * Compares the counts when the whole index is known; returns how many messages could not be read.
   */
  long end() {
    if (indexed <= read) {
      return 0;
    }
    damage("a chunk gives %d of the %d messages that its index counts".formatted(read, indexed));
    return indexed - read;
  }

  /** Returns the name of the compression if it is not supported. */
  Optional<String> unknownCompression() {
    return Optional.ofNullable(unknownCompression);
  }
}
