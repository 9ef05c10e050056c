package org.cartostream.web.topic;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.MapMetaData;
import org.cartostream.ros.message.OccupancyGridUpdate;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * Sender of the map's topics. The whole map is sent at first, when its bounds change, after {@link
 * #KEY_FRAME_SECONDS} and at the end, so that playback finds a whole map shortly before any moment;
 * in between, the smallest rectangle that contains all changed cells is sent. Owns the map that was
 * sent last. Not thread-safe.
 */
final class MapTopics {

  /** Time from a whole map to the next, by the robot's clock, seconds. */
  static final long KEY_FRAME_SECONDS = 30;

  private final RunTopics.Output output;
  private OccupancyGrid sent;
  private int sentCorrection;
  private long wholeStamp;

  MapTopics(RunTopics.Output output) {
    this.output = output;
  }

  /**
   * Sends the map so far, or its changes.
   *
   * @param reading number of the newest reading that had an outcome
   */
  void update(OccupancyGrid map, int correction, long reading, long stampNanos) {
    long age = stampNanos - wholeStamp;
    boolean isOld = age < 0 || age >= TimeUnit.SECONDS.toNanos(KEY_FRAME_SECONDS);
    if (isOld || !coversSent(map)) {
      whole(map, correction, reading, stampNanos);
      return;
    }
    OccupancyGridUpdate changes = changes(map, stampNanos);
    sent = map;
    sentCorrection = correction;
    if (changes != null) {
      output.send(Topic.MAP_UPDATES, stampNanos, OccupancyGridUpdate.TYPE.encodeCdr(changes));
      sendState(new MapState(reading, correction, false, hash(map)), stampNanos);
    }
  }

  /** Sends the last map again, as a whole; does nothing if there is none yet. */
  void repeat(long reading, long stampNanos) {
    if (sent != null) {
      whole(sent, sentCorrection, reading, stampNanos);
    }
  }

  void whole(OccupancyGrid map, int correction, long reading, long stampNanos) {
    sent = map;
    sentCorrection = correction;
    wholeStamp = stampNanos;
    MapMetaData info =
        new MapMetaData(
            stampNanos,
            (float) map.resolution(),
            map.width(),
            map.height(),
            PlanarPose.pose(new Pose(map.originX(), map.originY(), 0)));
    RosOccupancyGrid message =
        new RosOccupancyGrid(new Header(0, stampNanos, RunTopics.MAP_FRAME), info, map.cells());
    output.send(Topic.MAP, stampNanos, RosOccupancyGrid.TYPE.encodeCdr(message));
    sendState(new MapState(reading, correction, true, hash(map)), stampNanos);
  }

  private void sendState(MapState state, long stampNanos) {
    output.send(Topic.MAP_STATE, stampNanos, RunTopics.json(state));
  }

  private boolean coversSent(OccupancyGrid map) {
    return sent != null
        && map.width() == sent.width()
        && map.height() == sent.height()
        && map.resolution() == sent.resolution()
        && map.originX() == sent.originX()
        && map.originY() == sent.originY();
  }

  /** Returns the rectangle that differs from the map sent last; null if nothing does. */
  private OccupancyGridUpdate changes(OccupancyGrid map, long stampNanos) {
    int left = map.width();
    int right = -1;
    int bottom = map.height();
    int top = -1;
    for (int row = 0; row < map.height(); row++) {
      int start = row * map.width();
      int first = mismatch(map, start, start + map.width());
      if (first >= 0) {
        bottom = Math.min(bottom, row);
        top = row;
        left = Math.min(left, first - start);
        int last = start + map.width() - 1;
        while (map.cells()[last] == sent.cells()[last]) {
          last--;
        }
        right = Math.max(right, last - start);
      }
    }
    if (top < 0) {
      return null;
    }
    int width = right - left + 1;
    int height = top - bottom + 1;
    byte[] cells = new byte[width * height];
    for (int row = 0; row < height; row++) {
      int from = (bottom + row) * map.width() + left;
      System.arraycopy(map.cells(), from, cells, row * width, width);
    }
    Header header = new Header(0, stampNanos, RunTopics.MAP_FRAME);
    return new OccupancyGridUpdate(header, left, bottom, width, height, cells);
  }

  /**
   * Returns the first cell in [start, end) that differs from the map sent last; -1 if none does.
   */
  private int mismatch(OccupancyGrid map, int start, int end) {
    int offset = Arrays.mismatch(map.cells(), start, end, sent.cells(), start, end);
    return offset < 0 ? -1 : start + offset;
  }

  private static String hash(OccupancyGrid map) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(map.cells()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }
}
