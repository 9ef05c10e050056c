package org.cartostream.ros.rosbridge;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Cuts a message that a server may find too large into {@code fragment}s, which it puts together
 * again (ROSBRIDGE_PROTOCOL.md, section 3.2.1): rosbridge's server closes the connection at a
 * message of more than 10 MiB.
 */
final class RosbridgeFragments {

  /** Characters of a message that is sent whole; nearly all of them are bytes. */
  static final int MAX_WHOLE = 8_000_000;

  /** Characters in a fragment; few of them are quoted, which makes them longer. */
  private static final int DATA = 1_000_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private RosbridgeFragments() {}

  /** The parts to be sent for a message, in this order. */
  static List<String> of(String message) {
    return message.length() <= MAX_WHOLE ? List.of(message) : cut(message);
  }

  /** The server knows the parts of all its clients by their id alone. */
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
