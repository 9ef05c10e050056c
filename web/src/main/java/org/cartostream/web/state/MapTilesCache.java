package org.cartostream.web.state;

import org.cartostream.slam.map.OccupancyGrid;

/**
 * The latest {@link MapTilesFrame}: viewers that keep up all lack the same tiles. Owns the frame
 * and the two maps between which it lies; one thread uses it.
 */
public final class MapTilesCache {

  private OccupancyGrid before;
  private OccupancyGrid after;
  private byte[] frame;

  /**
   * Returns what a page lacks that shows one map and is to show another.
   *
   * @param shown null if it shows none
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
