package org.cartostream.gateway.session;

import java.util.Optional;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * Puts the robot's map together from the tiles that the service sends. Owns the newest map of a
 * run, and its version.
 */
final class MapAssembler {

  private OccupancyGrid grid;
  private long version;

  /** The version that the service is told with each reading; 0 if there is no map yet. */
  long version() {
    return grid == null ? 0 : version;
  }

  /**
   * Takes a map, or tiles of one.
   *
   * @param itsVersion from the message's envelope
   * @return the whole map; empty if it is older than the one that is held, or of tiles for a map
   *     that never came: the service learns with the next reading which one is held
   * @throws org.cartostream.broker.RefusedMessageException if it is none
   */
  Optional<OccupancyGrid> apply(MapMessage map, long itsVersion) {
    boolean stale = grid != null && itsVersion < version;
    boolean fits = map.isWhole() || (grid != null && map.base() <= version);
    if (stale || !fits) {
      return Optional.empty();
    }
    grid = map.isWhole() ? map.grid() : map.applyTo(grid);
    version = itsVersion;
    return Optional.of(grid);
  }
}
