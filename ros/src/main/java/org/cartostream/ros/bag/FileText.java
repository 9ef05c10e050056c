package org.cartostream.ros.bag;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Text of a file that anybody may have written, fit for a sentence and for memory. */
final class FileText {

  /** Maximum bytes of a name; the names of a ROS graph are shorter. What is beyond is cut off. */
  static final int MAX_BYTES = 256;

  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private FileText() {}

  /** Returns what is left of some bytes, in UTF-8, as far as it is no longer than a name. */
  static String of(ByteBuffer bytes) {
    int length = Math.min(bytes.remaining(), MAX_BYTES + 1);
    return shown(StandardCharsets.UTF_8.decode(bytes.slice(bytes.position(), length)).toString());
  }

  /** Returns a text as it is shown: not longer than a name, and without control characters. */
  static String shown(String text) {
    String cut = text.length() > MAX_BYTES ? text.substring(0, MAX_BYTES) + "..." : text;
    return CONTROL.matcher(cut).replaceAll("?");
  }
}
