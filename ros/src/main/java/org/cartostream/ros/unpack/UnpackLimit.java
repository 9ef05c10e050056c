package org.cartostream.ros.unpack;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.cartostream.ros.RosException;

/**
 * Limit of the size to which a file may unpack. A few bytes may unpack to any number of bytes, and
 * a file may be malicious.
 *
 * <p>Two bounds hold. Data that is in memory as a whole has at most a quarter of the heap; its
 * messages are copied one after the other, and the filter needs the rest. And data longer than
 * {@link #HARMLESS_BYTES} has at most {@link #MAX_RATIO} times its packed length.
 */
public final class UnpackLimit {

  /**
   * Unpacked size that is always allowed, bytes: any machine unpacks it in a second, and has room
   * for it.
   */
  static final long HARMLESS_BYTES = 1 << 26;

  /**
   * Maximum ratio of unpacked to packed bytes. Scans of 4,096 beams without any hit have 1,200, by
   * zstd and by bzip2; zeros alone have 30,000 by zstd and a million by bzip2.
   */
  static final int MAX_RATIO = 10_000;

  /**
   * Maximum ratio of unpacked to packed bytes of a whole file, whose chunks may each be harmless.
   */
  public static final int MAX_RATIO_OF_FILE = 2000;

  /** Maximum length of a message, bytes: no scan, and nothing else that is read, is longer. */
  private static final int MAX_MESSAGE_BYTES = 1 << 26;

  /**
   * Size of the pieces in which skipped bytes are read, bytes: skipped data must be unpacked as
   * well.
   */
  private static final int SKIPPED_BYTES = 1 << 13;

  private static final long HEAP_BYTES = Runtime.getRuntime().maxMemory();

  private UnpackLimit() {}

  /** Returns the maximum size of data that is in memory as a whole, bytes. */
  public static int blockBytes() {
    return (int) Math.min(Integer.MAX_VALUE - 8, HEAP_BYTES / 4);
  }

  /**
   * Returns the maximum size of a message to be decoded, bytes. It is less than {@link
   * #blockBytes}, because decoded objects take several times the bytes.
   */
  public static int messageBytes() {
    return (int) Math.min(MAX_MESSAGE_BYTES, HEAP_BYTES / 16);
  }

  /**
   * Checks the actual or claimed length of a message before it is decoded.
   *
   * @throws RosException if the message is too long
   */
  public static void checkMessage(long bytes) {
    if (bytes > messageBytes()) {
      throw new RosException(
          "a message of more than %d bytes, which no scan needs%s"
              .formatted(
                  messageBytes(),
                  messageBytes() < MAX_MESSAGE_BYTES
                      ? " and the heap of " + (HEAP_BYTES >> 20) + " MiB does not hold"
                      : ""));
    }
  }

  /**
   * Returns the end of a sentence about the length of data longer than {@link #blockBytes}, with
   * the limit.
   */
  public static String tooLong(long bytes) {
    return "%d bytes long, more than a quarter of the heap of %d MiB; a heap of %d MiB holds it (-Xmx%dm)"
        .formatted(bytes, HEAP_BYTES >> 20, heapMegabytes(bytes), heapMegabytes(bytes));
  }

  private static long heapMegabytes(long bytes) {
    return (4 * bytes >> 20) + 1;
  }

  /**
   * Checks the claimed unpacked size of a block.
   *
   * @throws IOException if the size is too large; the message says why
   */
  public static void check(long packedBytes, long bytes) throws IOException {
    if (bytes > HARMLESS_BYTES && bytes / MAX_RATIO > packedBytes) {
      throw bomb(packedBytes);
    }
    if (bytes > blockBytes()) {
      throw new IOException("it is " + tooLong(bytes));
    }
  }

  /**
   * True if the unpacked size of all blocks of a file exceeds the limits, which no recording does.
   */
  public static boolean isTooMuch(long fileBytes, long unpackedBytes) {
    return unpackedBytes > Math.max(HARMLESS_BYTES, MAX_RATIO_OF_FILE * fileBytes);
  }

  private static IOException bomb(long packedBytes) {
    return new IOException(
        "it is more than %d times as long as the %d bytes into which it is packed, as no recording is"
            .formatted(MAX_RATIO, packedBytes));
  }

  /** Returns a stream that fails when the unpacked bytes are too many for the packed ones. */
  public static InputStream bounded(InputStream unpacked, long packedBytes) {
    return new FilterInputStream(unpacked) {
      private long left = Math.max(HARMLESS_BYTES, MAX_RATIO * packedBytes);

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
      }

      @Override
      public long skip(long bytes) throws IOException {
        return Math.max(0, read(new byte[(int) Math.min(bytes, SKIPPED_BYTES)]));
      }

      @Override
      public int read(byte[] into, int at, int length) throws IOException {
        int got = super.read(into, at, length);
        left -= Math.max(0, got);
        if (left < 0) {
          throw bomb(packedBytes);
        }
        return got;
      }
    };
  }
}
