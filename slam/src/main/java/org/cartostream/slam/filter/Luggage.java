package org.cartostream.slam.filter;

import org.cartostream.slam.geometry.Pose;

/**
 * What a particle takes along to another task, as in a {@link Parcel}: poses, or tiles.
 *
 * @param path empty if tiles go along
 * @param map empty if poses go along
 */
record Luggage(Pose[] path, byte[] map) {

  static Luggage ofPoses(Pose[] path) {
    return new Luggage(path, new byte[0]);
  }

  static Luggage ofTiles(byte[] map) {
    return new Luggage(new Pose[0], map);
  }

  boolean byTiles() {
    return map.length > 0;
  }

  long bytes() {
    return map.length + (long) Ancestry.POSE_BYTES * path.length;
  }
}
