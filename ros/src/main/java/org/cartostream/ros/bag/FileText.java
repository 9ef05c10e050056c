package org.cartostream.ros.bag;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Text of an untrusted file, shortened and without control characters, for messages. */
final class FileText {

  /** Maximum bytes of a name; the names of a ROS graph are shorter. A longer name is cut off. */
  static final int MAX_BYTES = 256;

  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private FileText() {}

  /** Reads the remaining bytes as UTF-8, at most {@link #MAX_BYTES}. */
  static String of(ByteBuffer bytes) {
    int length = Math.min(bytes.remaining(), MAX_BYTES + 1);
    return shown(StandardCharsets.UTF_8.decode(bytes.slice(bytes.position(), length)).toString());
  }

  /** Returns a text shortened to the length of a name, without control characters. */
  static String shown(String text) {
    String cut = text.length() > MAX_BYTES ? text.substring(0, MAX_BYTES) + "..." : text;
    return CONTROL.matcher(cut).replaceAll("?");
  }
}
