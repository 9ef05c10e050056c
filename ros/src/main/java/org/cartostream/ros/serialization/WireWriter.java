package org.cartostream.ros.serialization;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growing buffer of a message's bytes; little-endian, as ROS has it. Owns the bytes. */
public final class WireWriter {

  private static final int FIRST_BYTES = 256;

  private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** Returns a buffer with room for {@code bytes} more, to be filled before the next call. */
  public ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      int size = Math.max(buffer.capacity() * 2, buffer.position() + bytes);
      byte[] larger = Arrays.copyOf(buffer.array(), size);
      buffer = ByteBuffer.wrap(larger).order(ByteOrder.LITTLE_ENDIAN).position(buffer.position());
    }
    return buffer;
  }

  /** Returns the number of bytes. */
  public int size() {
    return buffer.position();
  }

  public byte[] bytes() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }
}
