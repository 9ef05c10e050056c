package org.cartostream.ros.rtps.wire;

import java.nio.ByteBuffer;

/**
 * The identity of a participant, a reader or a writer, 16 bytes (RTPS 8.2.4.1).
 *
 * @param prefix prefix of its participant
 * @param entity entity id within the participant
 */
public record Guid(GuidPrefix prefix, int entity) {

  public static final int BYTES = GuidPrefix.BYTES + Integer.BYTES;

  /** Reads an identity. */
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
