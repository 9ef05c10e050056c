package org.cartostream.slam.mapping;

import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.transfer.PoseHistory;

/**
 * A particle's own map: siblings share one until their poses differ.
 *
 * @param history the particle's latest poses; null if they are not needed, as before the first step
 */
public record ParticleMap(TiledMap map, PoseHistory history) {

  ParticleMap withHistory(PoseHistory longer) {
    return new ParticleMap(map, longer);
  }
}
