package org.cartostream.ros.rtps.wire;

import java.nio.ByteBuffer;

/**
 * The identity of a participant, a reader or a writer, 16 bytes (8.2.4.1).
 *
 * @param prefix its participant's
 * @param entity which one of that participant it is
 */
public record Guid(GuidPrefix prefix, int entity) {

  public static final int BYTES = GuidPrefix.BYTES + Integer.BYTES;

  /** Reads one. */
  public static Guid read(ByteBuffer in) {
    return new Guid(GuidPrefix.read(in), EntityIds.read(in));
  }

  /** Returns the identity as it crosses the wire. */
  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES)
        .putLong(prefix.high())
        .putInt(prefix.low())
        .putInt(entity)
        .array();
  }
}
