package org.cartostream.ros.tcpros;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Frames of TCPROS: headers and messages with their length before them. */
final class TcprosFraming {

  /** Maximum length of a frame, bytes; a longer one is an error. */
  static final int MAX_BYTES = 1 << 28;

  private TcprosFraming() {}

  /** Returns {@code bytes} with their length before them. */
  static byte[] of(byte[] bytes) {
    return ByteBuffer.allocate(Integer.BYTES + bytes.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  /**
   * Reads the next frame.
   *
   * @throws java.io.EOFException if the other side is gone
   * @throws IOException if the frame is longer than {@code max} bytes
   */
  static byte[] read(DataInputStream in, int max) throws IOException {
    int length = Integer.reverseBytes(in.readInt());
    if (length < 0 || length > max) {
      throw new IOException(
          "a frame of " + Integer.toUnsignedLong(length) + " bytes; at most " + max + " fit");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new IOException("a frame of " + length + " bytes ends after " + bytes.length);
    }
    return bytes;
  }
}
