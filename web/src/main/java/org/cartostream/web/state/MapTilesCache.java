package org.cartostream.web.state;

import org.cartostream.slam.map.OccupancyGrid;

/**
 * Cache of the latest {@link MapTilesFrame}, as viewers that keep up all lack the same tiles. Owns
 * the frame and the two maps that it lies between; used by one thread.
 */
public final class MapTilesCache {

  private OccupancyGrid before;
  private OccupancyGrid after;
  private byte[] frame;

  /**
   * Returns the tiles that a page needs to replace one map by another.
   *
   * @param shown map that the page shows; null if it shows none
   */
  byte[] between(OccupancyGrid shown, OccupancyGrid newest) {
    if (frame == null || before != shown || after != newest) {
      frame = MapTilesFrame.between(shown, newest);
      before = shown;
      after = newest;
    }
    return frame;
  }
}
