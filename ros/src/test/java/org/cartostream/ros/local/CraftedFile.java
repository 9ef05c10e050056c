package org.cartostream.ros.local;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The bytes of bags and MCAP files part by part, so that any of them may be wrong. */
public final class CraftedFile {

  private CraftedFile() {}

  /** Numbers little-endian, texts in ASCII, and bytes, one behind the other. */
  public static byte[] joined(Object... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Object part : parts) {
      if (part instanceof byte[] bytes) {
        all.writeBytes(bytes);
      } else if (part instanceof String text) {
        all.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
      } else {
        long number = ((Number) part).longValue();
        byte[] bytes =
            ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
        int size =
            part instanceof Long ? 8 : part instanceof Integer ? 4 : part instanceof Short ? 2 : 1;
        all.write(bytes, 0, size);
      }
    }
    return all.toByteArray();
  }

  /** What follows behind its length in four bytes. */
  public static byte[] sized(Object... parts) {
    byte[] content = joined(parts);
    return joined(content.length, content);
  }

  /** A field of a bag's record. */
  public static byte[] field(String name, Object value) {
    return sized(name + "=", value);
  }

  /** A bag without an index. */
  public static byte[] bag(Object... records) {
    byte[] header =
        sized(
            field("op", (byte) 3),
            field("index_pos", 0L),
            field("conn_count", 1),
            field("chunk_count", 1));
    return joined("#ROSBAG V2.0\n", header, 0, joined(records));
  }

  /** A chunk of a bag. */
  public static byte[] bagChunk(String compression, byte[] packed) {
    return joined(
        sized(field("op", (byte) 5), field("compression", compression), field("size", 100)),
        sized(packed));
  }

  /** The topic of a bag with number 0, and what else describes it. */
  public static byte[] connection(int number, String topic, byte[]... fields) {
    return joined(
        sized(field("op", (byte) 7), field("conn", number), field("topic", topic)),
        sized((Object[]) fields));
  }

  /** The header of a message in a bag. */
  public static byte[] messageHeader(int connection) {
    return sized(field("op", (byte) 2), field("conn", connection), field("time", 1L));
  }

  /** An MCAP file without an end. */
  public static byte[] mcap(Object... records) {
    byte[] magic = {(byte) 0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
    return joined(magic, joined(records));
  }

  /** A record of an MCAP file. */
  public static byte[] mcapRecord(int op, Object... parts) {
    byte[] content = joined(parts);
    return joined((byte) op, (long) content.length, content);
  }

  /** A chunk of an MCAP file, which says to how much it unpacks. */
  public static byte[] mcapChunk(String compression, long unpackedBytes, byte[] packed) {
    return mcapRecord(
        6, 0L, 0L, unpackedBytes, 0, sized(compression), (long) packed.length, packed);
  }
}
