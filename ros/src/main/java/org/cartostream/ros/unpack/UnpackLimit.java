package org.cartostream.ros.unpack;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.cartostream.ros.RosException;

/**
 * Limit of the size to which a file may unpack. A few bytes can be the packed form of any number of
 * them, and the sender of a file need not mean well.
 *
 * <p>Two bounds hold. What is in memory as a whole is at most a quarter of the heap: it is there
 * once, its messages are copied out of it one after the other, and the filter needs the rest. And
 * what is longer than {@link #HARMLESS_BYTES} may be at most {@link #MAX_RATIO} times as long as it
 * is packed.
 */
public final class UnpackLimit {

  /** Number of bytes that any machine unpacks in a second, and has room for. */
  static final long HARMLESS_BYTES = 1 << 26;

  /**
   * Scans of 4,096 beams of which none meets anything shrink to a 1200th, by zstd and by bzip2;
   * nothing but zeros to a 30,000th by the one and to a millionth by the other.
   */
  static final int MAX_RATIO = 10_000;

  /**
   * Maximum ratio of unpacked to packed bytes of a whole file, whose chunks may each be harmless.
   */
  public static final int MAX_RATIO_OF_FILE = 2000;

  /** Maximum length of a message, bytes: no scan, and nothing else that is read, is longer. */
  private static final int MAX_MESSAGE_BYTES = 1 << 26;

  /** Size of the pieces in which skipped bytes are read: what is skipped is unpacked as well. */
  private static final int SKIPPED_BYTES = 1 << 13;

  private static final long HEAP_BYTES = Runtime.getRuntime().maxMemory();

  private UnpackLimit() {}

  /** Maximum size of data that is in memory as a whole, bytes. */
  public static int blockBytes() {
    return (int) Math.min(Integer.MAX_VALUE - 8, HEAP_BYTES / 4);
  }

  /**
   * Maximum size of a message that is decoded, bytes: less, for its objects take several times its
   * bytes.
   */
  public static int messageBytes() {
    return (int) Math.min(MAX_MESSAGE_BYTES, HEAP_BYTES / 16);
  }

  /**
   * Checks how long a message is, or is said to be, that is to be decoded.
   *
   * @throws RosException if it is too long
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

  /** Says of something longer than {@link #blockBytes} what is wrong, and what would be right. */
  public static String tooLong(long bytes) {
    return "%d bytes long, more than a quarter of the heap of %d MiB; a heap of %d MiB holds it (-Xmx%dm)"
        .formatted(bytes, HEAP_BYTES >> 20, heapMegabytes(bytes), heapMegabytes(bytes));
  }

  private static long heapMegabytes(long bytes) {
    return (4 * bytes >> 20) + 1;
  }

  /**
   * Checks what a block is said to unpack to.
   *
   * @throws IOException if it is too much; the message says why
   */
  public static void check(long packedBytes, long bytes) throws IOException {
    if (bytes > HARMLESS_BYTES && bytes / MAX_RATIO > packedBytes) {
      throw bomb(packedBytes);
    }
    if (bytes > blockBytes()) {
      throw new IOException("it is " + tooLong(bytes));
    }
  }

  /** True if all blocks of a file may not have unpacked to so much, as no recording does. */
  public static boolean isTooMuch(long fileBytes, long unpackedBytes) {
    return unpackedBytes > Math.max(HARMLESS_BYTES, MAX_RATIO_OF_FILE * fileBytes);
  }

  private static IOException bomb(long packedBytes) {
    return new IOException(
        "it is more than %d times as long as the %d bytes into which it is packed, as no recording is"
            .formatted(MAX_RATIO, packedBytes));
  }

  /** Returns what is unpacked, until it is too much for the bytes into which it is packed. */
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
