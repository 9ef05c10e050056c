package org.cartostream.ros.rosbridge;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Splitter of messages that may be too large for a server into {@code fragment}s, which the server
 * joins (ROSBRIDGE_PROTOCOL.md, section 3.2.1): rosbridge's server closes the connection at a
 * message of more than 10 MiB.
 */
final class RosbridgeFragments {

  /** Maximum length of a message that is sent whole, characters; most are one byte each. */
  static final int MAX_WHOLE = 8_000_000;

  /** Maximum length of a fragment, characters, before some are escaped. */
  private static final int DATA = 1_000_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private RosbridgeFragments() {}

  /** Returns the parts to be sent for a message, in order; a short message is its only part. */
  static List<String> of(String message) {
    return message.length() <= MAX_WHOLE ? List.of(message) : cut(message);
  }

  /**
   * Cuts a message into fragments with a random id: the server distinguishes the messages of all
   * its clients by the id alone.
   */
  private static List<String> cut(String message) {
    String id = "cartostream:" + UUID.randomUUID();
    List<String> data = new ArrayList<>();
    for (int begin = 0; begin < message.length(); ) {
      int end = Math.min(begin + DATA, message.length());
      end -= Character.isHighSurrogate(message.charAt(end - 1)) ? 1 : 0;
      data.add(message.substring(begin, end));
      begin = end;
    }
    List<String> fragments = new ArrayList<>();
    for (int number = 0; number < data.size(); number++) {
      fragments.add(
          JSON.createObjectNode()
              .put("op", "fragment")
              .put("id", id)
              .put("data", data.get(number))
              .put("num", number)
              .put("total", data.size())
              .toString());
    }
    return fragments;
  }
}
