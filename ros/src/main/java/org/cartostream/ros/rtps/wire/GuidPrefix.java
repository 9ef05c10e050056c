package org.cartostream.ros.rtps.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cartostream.ros.serialization.WireWriter;

/**
 * A participant's identity in its domain, 12 bytes (8.2.4.2, 9.3.1.1).
 *
 * @param high its first 8 bytes
 * @param low its last 4
 */
public record GuidPrefix(long high, int low) {

  /** Unknown prefix, which addresses a packet to all participants. */
  public static final GuidPrefix UNKNOWN = new GuidPrefix(0, 0);

  static final int BYTES = Long.BYTES + Integer.BYTES;

  static GuidPrefix read(ByteBuffer in) {
    byte[] raw = new byte[BYTES];
    in.get(raw);
    ByteBuffer bytes = ByteBuffer.wrap(raw);
    return new GuidPrefix(bytes.getLong(), bytes.getInt());
  }

  /** Writes the prefix, whose byte order is independent of that of the packet's numbers. */
  void write(WireWriter out) {
    out.room(BYTES)
        .order(ByteOrder.BIG_ENDIAN)
        .putLong(high)
        .putInt(low)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public String toString() {
    return "%016x%08x".formatted(high, low);
  }
}
