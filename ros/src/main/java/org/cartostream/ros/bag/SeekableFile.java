package org.cartostream.ros.bag;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A file read as little-endian numbers and blocks of bytes, forwards from any position. Owns the
 * open channel and a buffer.
 */
final class SeekableFile implements Closeable {

  private static final int BUFFER_BYTES = 1 << 16;

  private final FileChannel channel;
  private final long size;

  /** Holds the file's bytes from {@link #bufferStart} on, up to its limit. */
  private final ByteBuffer buffer =
      ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);

  private long bufferStart;

  SeekableFile(Path file) throws IOException {
    this.channel = FileChannel.open(file, StandardOpenOption.READ);
    this.size = channel.size();
  }

  /** True if a file begins with these bytes. False for a pipe or a device, which is not read. */
  static boolean begins(Path file, byte[] magic) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(magic.length), magic);
    }
  }

  long size() {
    return size;
  }

  long position() {
    return bufferStart + buffer.position();
  }

  /** Returns the number of bytes from the position to the end. */
  long remaining() {
    return size - position();
  }

  void seek(long position) {
    if (position >= bufferStart && position <= bufferStart + buffer.limit()) {
      buffer.position((int) (position - bufferStart));
    } else {
      bufferStart = position;
      buffer.position(0).limit(0);
    }
  }

  int readByte() throws IOException {
    require(1);
    return Byte.toUnsignedInt(buffer.get());
  }

  int readInt() throws IOException {
    require(Integer.BYTES);
    return buffer.getInt();
  }

  long readLong() throws IOException {
    require(Long.BYTES);
    return buffer.getLong();
  }

  /**
   * Reads a block of bytes.
   *
   * @throws EOFException if fewer bytes remain
   */
  byte[] readBytes(int count) throws IOException {
    if (count > remaining()) {
      throw new EOFException();
    }
    byte[] bytes = new byte[count];
    int done = Math.min(count, buffer.remaining());
    buffer.get(bytes, 0, done);
    if (done < count) {
      long at = position();
      ByteBuffer rest = ByteBuffer.wrap(bytes, done, count - done);
      while (rest.hasRemaining()) {
        int got = channel.read(rest, at);
        if (got < 0) {
          throw new EOFException();
        }
        at += got;
      }
      seek(at);
    }
    return bytes;
  }

  /** Makes sure that {@code bytes} bytes are in the buffer. */
  private void require(int bytes) throws IOException {
    if (buffer.remaining() >= bytes) {
      return;
    }
    long at = position();
    buffer.clear();
    bufferStart = at;
    while (buffer.position() < BUFFER_BYTES) {
      int got = channel.read(buffer, at + buffer.position());
      if (got < 0) {
        break;
      }
    }
    buffer.flip();
    if (buffer.remaining() < bytes) {
      throw new EOFException();
    }
  }

  /** Returns the first position of {@code pattern} in [from, to); -1 if there is none. */
  long find(byte[] pattern, long from, long to) throws IOException {
    seek(from);
    int matched = 0;
    while (position() - matched < to && remaining() > 0) {
      require(1);
      byte next = buffer.get();
      while (matched > 0 && next != pattern[matched]) {
        // The patterns are short, so a mismatch simply restarts the search at the next byte.
        long again = position() - matched;
        seek(again);
        matched = 0;
        require(1);
        next = buffer.get();
      }
      if (next == pattern[matched]) {
        matched++;
      }
      if (matched == pattern.length) {
        return position() - matched;
      }
    }
    return -1;
  }

  /** True if all bytes from a position on are zero. */
  boolean isZeroFrom(long from) throws IOException {
    seek(from);
    while (remaining() > 0) {
      if (readByte() != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
