package org.cartostream.web.playback;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.ros.RosException;
import org.cartostream.ros.bag.McapMessage;
import org.cartostream.ros.bag.McapReader;
import org.cartostream.ros.message.RosString;

/**
 * Messages of an MCAP recording, found by their place in it. Caches the records, most of them
 * chunks, that were used last.
 */
final class RecordedMessages {

  /**
   * Maximum number of cached records: enough for the present scan and map and the next ones; a few
   * megabytes.
   */
  private static final int MAX_RECORDS = 4;

  private final McapReader file;
  private final Map<Long, List<McapMessage>> records =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, List<McapMessage>> eldest) {
          return size() > MAX_RECORDS;
        }
      };

  RecordedMessages(McapReader file) {
    this.file = file;
  }

  /** The JSON of a message: in a text of ROS, or by itself, as older recordings have it. */
  static String json(McapMessage message) {
    return message.is(RosString.TYPE)
        ? message.as(RosString.TYPE).data()
        : new String(message.bytes(), StandardCharsets.UTF_8);
  }

  byte[] bytes(McapReader.Place place) throws IOException {
    return message(place).bytes();
  }

  String json(McapReader.Place place) throws IOException {
    return json(message(place));
  }

  private McapMessage message(McapReader.Place place) throws IOException {
    List<McapMessage> messages = records.get(place.record());
    if (messages == null) {
      messages = file.messages(place.record());
      records.put(place.record(), messages);
    }
    if (place.number() >= messages.size()) {
      throw new RosException("the recording has changed since it was opened");
    }
    return messages.get(place.number());
  }
}
