package org.cartostream.web.playback;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.ros.RosException;
import org.cartostream.ros.mcap.McapFile;

/** The messages of a recording by place. Owns the chunks that were unpacked last. */
final class RecordedMessages {

  /** A place of a scan and one of a map, and what comes next: a few megabytes. */
  private static final int MOST_CHUNKS = 4;

  private final McapFile file;
  private final Map<Integer, List<McapFile.Message>> chunks =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, List<McapFile.Message>> eldest) {
          return size() > MOST_CHUNKS;
        }
      };

  RecordedMessages(McapFile file) {
    this.file = file;
  }

  byte[] bytes(MessagePlace place) throws IOException {
    List<McapFile.Message> messages = chunks.get(place.chunk());
    if (messages == null) {
      messages = file.messages(place.chunk());
      chunks.put(place.chunk(), messages);
    }
    if (place.message() >= messages.size()) {
      throw new RosException("the recording has changed since it was opened");
    }
    return messages.get(place.message()).bytes();
  }
}
