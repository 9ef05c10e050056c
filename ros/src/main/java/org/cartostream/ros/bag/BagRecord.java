package org.cartostream.ros.bag;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A record of a bag: a header of named fields, and data (wiki.ros.org/Bags/Format/2.0, section 2).
 *
 * @param fields fields of the header by name, little-endian
 * @param data bytes behind the header; empty until they are read
 */
record BagRecord(Map<String, ByteBuffer> fields, byte[] data) {

  static final int MESSAGE = 0x02;
  static final int BAG_HEADER = 0x03;
  static final int INDEX = 0x04;
  static final int CHUNK = 0x05;
  static final int CHUNK_INFO = 0x06;
  static final int CONNECTION = 0x07;

  /**
   * Size of an entry of a chunk info, bytes: a connection, and the number of its messages in the
   * chunk.
   */
  static final int CHUNK_INFO_ENTRY_BYTES = 8;

  /**
   * Maximum length of a header, bytes; the longest are those of connections, which hold a topic.
   */
  static final int MAX_HEADER_BYTES = 1 << 16;

  /** Bound on the fields of a record: a bag's have eight at the most. */
  private static final int MAX_FIELDS = 64;

  /**
   * Reads the fields of a header.
   *
   * @return null if these bytes are no header: a field is cut off, has no name, or there is no op
   */
  static BagRecord of(byte[] header) {
    Map<String, ByteBuffer> fields = fields(header);
    return fields != null && fields.containsKey("op") && fields.get("op").remaining() == 1
        ? new BagRecord(fields, new byte[0])
        : null;
  }

  /**
   * Reads named fields, of a header or of the data of a connection; null if the bytes are not
   * fields.
   */
  static Map<String, ByteBuffer> fields(byte[] bytes) {
    Map<String, ByteBuffer> fields = new HashMap<>();
    ByteBuffer rest = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (rest.hasRemaining()) {
      if (rest.remaining() < Integer.BYTES || fields.size() == MAX_FIELDS) {
        return null;
      }
      int length = rest.getInt();
      if (length <= 0 || length > rest.remaining()) {
        return null;
      }
      int start = rest.position();
      int equals = start;
      while (equals < start + length && bytes[equals] != '=') {
        equals++;
      }
      if (equals == start || equals == start + length) {
        return null;
      }
      String name = new String(bytes, start, equals - start, StandardCharsets.UTF_8);
      fields.put(
          name, rest.slice(equals + 1, start + length - equals - 1).order(ByteOrder.LITTLE_ENDIAN));
      rest.position(start + length);
    }
    return fields;
  }

  /** Returns the number of messages by the data of a chunk info. */
  static long messagesOf(byte[] chunkInfo) {
    ByteBuffer entries = ByteBuffer.wrap(chunkInfo).order(ByteOrder.LITTLE_ENDIAN);
    long messages = 0;
    while (entries.remaining() >= CHUNK_INFO_ENTRY_BYTES) {
      entries.getInt();
      messages += Integer.toUnsignedLong(entries.getInt());
    }
    return messages;
  }

  /** Returns the same record with its data. */
  BagRecord with(byte[] itsData) {
    return new BagRecord(fields, itsData);
  }

  int op() {
    return Byte.toUnsignedInt(fields.get("op").get(0));
  }

  /** True if a field exists and has this number of bytes. */
  boolean has(String name, int bytes) {
    return fields.containsKey(name) && fields.get(name).remaining() == bytes;
  }

  /** True if all fields exist that a record of its kind must have. */
  boolean isComplete() {
    return switch (op()) {
      case MESSAGE -> has("conn", Integer.BYTES) && has("time", Long.BYTES);
      case BAG_HEADER ->
          has("index_pos", Long.BYTES)
              && has("conn_count", Integer.BYTES)
              && has("chunk_count", Integer.BYTES);
      case INDEX -> has("conn", Integer.BYTES) && has("count", Integer.BYTES);
      case CHUNK -> fields.containsKey("compression") && has("size", Integer.BYTES);
      case CHUNK_INFO -> has("chunk_pos", Long.BYTES) && has("count", Integer.BYTES);
      case CONNECTION -> has("conn", Integer.BYTES) && fields.containsKey("topic");
      default -> false;
    };
  }

  int number(String name) {
    return fields.get(name).getInt(0);
  }

  long longNumber(String name) {
    return fields.get(name).getLong(0);
  }

  String text(String name) {
    return text(fields.get(name));
  }

  static String text(ByteBuffer value) {
    return value == null ? "" : FileText.of(value);
  }
}
