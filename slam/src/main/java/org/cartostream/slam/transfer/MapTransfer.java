package org.cartostream.slam.transfer;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.particle.ParticleTransfer;

/**
 * The map that a particle takes along to another task, as in a {@link ParticleTransfer}: poses, or
 * tiles.
 *
 * @param path empty if tiles go along
 * @param map empty if poses go along
 */
public record MapTransfer(Pose[] path, byte[] map) {

  static MapTransfer ofPoses(Pose[] path) {
    return new MapTransfer(path, new byte[0]);
  }

  static MapTransfer ofTiles(byte[] map) {
    return new MapTransfer(new Pose[0], map);
  }

  public boolean byTiles() {
    return map.length > 0;
  }

  long bytes() {
    return map.length + (long) ParticleTransfer.POSE_BYTES * path.length;
  }
}
