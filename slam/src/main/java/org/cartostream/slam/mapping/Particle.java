package org.cartostream.slam.mapping;

import java.util.Map;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.transfer.PoseHistory;

/**
 * A particle: siblings share a map until their poses differ.
 *
 * @param number its place in the run's numbering, from 0
 * @param history where it has been; null if nobody needs to know, as before the first step
 * @param entered true if the current step's scan is in its map
 */
record Particle(int number, Pose pose, TiledMap map, PoseHistory history, boolean registered) {

  Particle moved(Pose to) {
    return new Particle(number, to, map, history, false);
  }

  /**
   * @param with the map to go on with, by pose
   */
  Particle registered(Map<Pose, TiledMap> with) {
    return new Particle(number, pose, with.get(pose), history, true);
  }

  Particle withHistory(PoseHistory longer) {
    return new Particle(number, pose, map, longer, registered);
  }

  Particle child(int itsNumber) {
    return new Particle(itsNumber, pose, map, history, registered);
  }
}
