package org.cartostream.web.playback;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.ros.RosException;
import org.cartostream.ros.message.OccupancyGridUpdate;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * Maps of a recording by number. Each is made of the last whole map before it and the updates
 * since. Owns the few maps that were asked for last. Not thread-safe.
 */
final class RecordedMaps {

  /** Maximum number of maps kept: where several pages play, each goes on from its own map. */
  private static final int MAX_KEPT = 6;

  private final RecordedMessages messages;
  private final List<RecordingIndex.MapMessage> maps;
  private final Map<Integer, OccupancyGrid> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, OccupancyGrid> eldest) {
          return size() > MAX_KEPT;
        }
      };

  RecordedMaps(RecordedMessages messages, List<RecordingIndex.MapMessage> maps) {
    this.messages = messages;
    this.maps = maps;
  }

  /**
   * Returns the map after a message.
   *
   * @param number number of the message among those with maps and updates, from 0
   * @throws RosException if a message is malformed
   */
  OccupancyGrid at(int number) throws IOException {
    int base = number;
    while (!maps.get(base).isWhole() && !kept.containsKey(base)) {
      base--;
    }
    OccupancyGrid map = kept.containsKey(base) ? kept.get(base) : whole(maps.get(base));
    if (base < number) {
      byte[] cells = map.cells().clone();
      for (int i = base + 1; i <= number; i++) {
        change(cells, map, messages.bytes(maps.get(i).place()));
      }
      map =
          new OccupancyGrid(
              map.width(), map.height(), map.resolution(), map.originX(), map.originY(), cells);
    }
    kept.put(number, map);
    return map;
  }

  private OccupancyGrid whole(RecordingIndex.MapMessage message) throws IOException {
    RosOccupancyGrid grid = RosOccupancyGrid.TYPE.decodeCdr(messages.bytes(message.place()));
    try {
      return new OccupancyGrid(
          Math.toIntExact(grid.info().width()),
          Math.toIntExact(grid.info().height()),
          Double.parseDouble(Float.toString(grid.info().resolution())), // Makes 0.05f to 0.05.
          grid.info().origin().position().x(),
          grid.info().origin().position().y(),
          grid.data());
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw new RosException("a map of the recording makes no sense: " + e.getMessage(), e);
    }
  }

  private static void change(byte[] cells, OccupancyGrid map, byte[] message) {
    OccupancyGridUpdate update = OccupancyGridUpdate.TYPE.decodeCdr(message);
    boolean isInside =
        update.x() >= 0
            && update.y() >= 0
            && update.x() + update.width() <= map.width()
            && update.y() + update.height() <= map.height()
            && update.data().length == update.width() * update.height();
    if (!isInside) {
      throw new RosException("a change of the recorded map reaches beyond the map");
    }
    int width = (int) update.width();
    for (int row = 0; row < update.height(); row++) {
      int to = (update.y() + row) * map.width() + update.x();
      System.arraycopy(update.data(), row * width, cells, to, width);
    }
  }
}
