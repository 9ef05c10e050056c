package org.cartostream.ros.bag;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.zip.CRC32;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.cartostream.ros.unpack.UnpackLimit;

/**
 * Chunks of an MCAP file (mcap.dev/spec, section Chunk): finds their beginnings, and unpacks them.
 */
final class McapChunk {

  private static final Set<String> COMPRESSIONS = Set.of("", "lz4", "zstd");
  private static final int MAX_NAME_LENGTH = 4;

  /**
   * Size of the fixed fields, bytes: times, size, checksum, and the length of the compression's
   * name.
   */
  private static final int FIXED_BYTES = 3 * Long.BYTES + 2 * Integer.BYTES;

  private McapChunk() {}

  /** Thrown if a chunk has an unsupported compression. */
  static final class UnknownCompressionException extends IOException {

    private static final long serialVersionUID = 1L;
    private final String compression;

    private UnknownCompressionException(String compression) {
      super("it is packed by '" + compression + "'; none, lz4 and zstd can be read");
      this.compression = compression;
    }

    String compression() {
      return compression;
    }
  }

  /**
   * Unpacks the records in a chunk.
   *
   * @throws IOException if the chunk is damaged, or cannot be unpacked; the message says why
   */
  static ByteBuffer unpacked(ByteBuffer record) throws IOException {
    record.getLong(); // Of its first message.
    record.getLong(); // Of its last.
    long size = record.getLong();
    long sum = Integer.toUnsignedLong(record.getInt());
    String compression = text(record);
    long packed = record.getLong();
    if (size < 0 || packed < 0 || packed > record.remaining()) {
      throw new IOException("its lengths do not fit");
    }
    UnpackLimit.check(packed, size);
    ByteBuffer content = record.slice(record.position(), (int) packed);
    ByteBuffer bytes = compression.isEmpty() ? content : unpack(compression, content, (int) size);
    CRC32 crc = new CRC32();
    crc.update(bytes.duplicate());
    if (bytes.remaining() != size || (sum != 0 && crc.getValue() != sum)) {
      throw new IOException("its content is not what its checksum says");
    }
    return bytes.order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer unpack(String compression, ByteBuffer packed, int size)
      throws IOException {
    InputStream source =
        new ByteArrayInputStream(packed.array(), packed.arrayOffset(), packed.remaining());
    try {
      InputStream unpacked =
          switch (compression) {
            case "lz4" -> new FramedLZ4CompressorInputStream(source);
            case "zstd" -> new ZstdInputStream(source);
            default -> throw new UnknownCompressionException(compression);
          };
      byte[] bytes = new byte[size];
      return ByteBuffer.wrap(bytes, 0, unpacked.readNBytes(bytes, 0, size));
    } catch (RuntimeException e) {
      throw new IOException("it cannot be unpacked: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the position of the first chunk record in [from, to) whose length fields are
   * consistent; -1 if there is none.
   */
  static long next(SeekableFile in, long from, long to) throws IOException {
    byte[] op = {McapWriter.CHUNK};
    for (long start = in.find(op, from, to); start >= 0; start = in.find(op, start + 1, to)) {
      in.seek(start + 1);
      if (isNext(in)) {
        return start;
      }
    }
    return -1;
  }

  /** True if the length fields behind an op byte are consistent with a chunk. */
  private static boolean isNext(SeekableFile in) throws IOException {
    if (in.remaining() < Long.BYTES + FIXED_BYTES) {
      return false;
    }
    long length = in.readLong();
    if (length < FIXED_BYTES + Long.BYTES || length > in.remaining()) {
      return false;
    }
    in.seek(in.position() + FIXED_BYTES - Integer.BYTES);
    int name = in.readInt();
    if (name < 0 || name > MAX_NAME_LENGTH) {
      return false;
    }
    String compression = new String(in.readBytes(name), StandardCharsets.US_ASCII);
    return COMPRESSIONS.contains(compression)
        && in.readLong() == length - FIXED_BYTES - name - Long.BYTES;
  }

  /** Reads a text with its length before it, shortened by {@link FileText}. */
  static String text(ByteBuffer record) {
    int length = record.getInt();
    if (length < 0 || length > record.remaining()) {
      throw new BufferUnderflowException();
    }
    String text = FileText.of(record.slice(record.position(), length));
    record.position(record.position() + length);
    return text;
  }
}
