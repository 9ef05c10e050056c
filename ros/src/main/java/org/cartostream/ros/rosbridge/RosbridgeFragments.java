package org.cartostream.ros.rosbridge;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Cuts a word that a server may find too large into {@code fragment}s, which it puts together again
 * (ROSBRIDGE_PROTOCOL.md, section 3.2.1): rosbridge's server closes the connection at a message of
 * more than 10 MiB.
 */
final class RosbridgeFragments {

  /** Characters of a word that is sent whole; nearly all of them are bytes. */
  static final int MOST_WHOLE = 8_000_000;

  /** Characters in a fragment; few of them are quoted, which makes them longer. */
  private static final int DATA = 1_000_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private RosbridgeFragments() {}

  /** What to send, in this order, for a word. */
  static List<String> of(String word) {
    return word.length() <= MOST_WHOLE ? List.of(word) : cut(word);
  }

  /** The server knows the parts of all its clients by their id alone. */
  private static List<String> cut(String word) {
    String id = "cartostream:" + UUID.randomUUID();
    List<String> data = new ArrayList<>();
    for (int begin = 0; begin < word.length(); ) {
      int end = Math.min(begin + DATA, word.length());
      end -= Character.isHighSurrogate(word.charAt(end - 1)) ? 1 : 0;
      data.add(word.substring(begin, end));
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
