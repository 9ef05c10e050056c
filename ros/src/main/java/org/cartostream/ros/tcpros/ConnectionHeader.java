package org.cartostream.ros.tcpros;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.cartostream.ros.serialization.WireWriter;

/**
 * The header that both sides of a TCPROS connection send first
 * (wiki.ros.org/ROS/Connection%20Header): {@code key=value}, each with its length before it, and
 * the length of all before that.
 *
 * @param fields values by key, in the order of writing
 */
record ConnectionHeader(Map<String, String> fields) {

  /** Maximum length of a header, bytes; the longest definitions have a few kilobytes. */
  private static final int MAX_BYTES = 1 << 20;

  /** Value that a subscriber to any type sends instead of a type and an MD5 sum. */
  static final String ANY = "*";

  ConnectionHeader {
    fields = new LinkedHashMap<>(fields);
  }

  /** Returns a header of keys and values in turn. */
  static ConnectionHeader of(String... keysAndValues) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      fields.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return new ConnectionHeader(fields);
  }

  /** Returns the value of a key; "" if there is none. */
  String get(String key) {
    return fields.getOrDefault(key, "");
  }

  /** True if the other side has the same value, or accepts any. */
  boolean accepts(String key, String ours) {
    String theirs = get(key);
    return theirs.equals(ours) || theirs.equals(ANY);
  }

  byte[] bytes() {
    WireWriter out = new WireWriter();
    out.room(Integer.BYTES).putInt(0);
    fields.forEach(
        (key, value) -> {
          byte[] field = (key + "=" + value).getBytes(StandardCharsets.UTF_8);
          out.room(Integer.BYTES + field.length).putInt(field.length).put(field);
        });
    byte[] bytes = out.bytes();
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(0, bytes.length - Integer.BYTES);
    return bytes;
  }

  /**
   * @throws IOException if the header is cut off, too long or malformed
   */
  static ConnectionHeader read(DataInputStream in) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.wrap(TcprosFraming.read(in, MAX_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
    Map<String, String> fields = new LinkedHashMap<>();
    while (bytes.remaining() >= Integer.BYTES) {
      int length = bytes.getInt();
      if (length < 0 || length > bytes.remaining()) {
        throw new IOException("a connection header with a field of " + length + " bytes");
      }
      byte[] field = new byte[length];
      bytes.get(field);
      String text = new String(field, StandardCharsets.UTF_8);
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw new IOException("a connection header with a field without '='");
      }
      fields.put(text.substring(0, equals), text.substring(equals + 1));
    }
    return new ConnectionHeader(fields);
  }
}
