package org.cartostream.broker.map;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.tile.MapTiles;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * History of one run's map at the service, by which a robot is sent only the tiles that it lacks.
 * Tiles are compared by their content, so it does not matter which particle an earlier map came
 * from.
 *
 * <p>Owns the newest map and, for each tile, the version at which its content changed last. A robot
 * that holds some version lacks the tiles that changed later, whatever was lost on the way. Not
 * thread-safe.
 */
public final class MapHistory {

  private record TileIndex(int x, int y) {}

  private final Map<TileIndex, Long> changedAt = new HashMap<>();
  private OccupancyGrid newest;

  /** First version in this history; a robot that holds an earlier one is sent a whole map. */
  private long first;

  private long version;

  /** Number of the newest correction that the newest map shows. */
  private int correction;

  /**
   * Takes a changed map.
   *
   * @param itsVersion number of the last reading in the map; greater than those before
   * @param itsCorrection number of the newest correction that the map shows
   */
  public void update(OccupancyGrid grid, long itsVersion, int itsCorrection) {
    if (newest == null) {
      first = itsVersion;
      newest = new OccupancyGrid(0, 0, grid.resolution(), 0, 0, new byte[0]);
    }
    recordChanges(newest, grid, itsVersion);
    recordChanges(grid, newest, itsVersion); // Either map may be the larger one.
    newest = grid;
    version = itsVersion;
    correction = itsCorrection;
  }

  /** Enters the tiles of one map that are different in the other. */
  private void recordChanges(OccupancyGrid one, OccupancyGrid other, long atVersion) {
    MapTiles tiles = MapTiles.of(one);
    MapTiles others = MapTiles.of(other);
    for (int tile = 0; tile < tiles.count(); tile++) {
      if (tiles.differs(tile, one.cells(), others, other.cells())) {
        changedAt.put(place(tiles, tile), atVersion);
      }
    }
  }

  private static TileIndex place(MapTiles tiles, int tile) {
    return new TileIndex(
        tiles.firstX() + tile % tiles.across(), tiles.firstY() + tile / tiles.across());
  }

  /**
   * Returns the message with those tiles of the newest map that a robot lacks; there must be a map.
   * (The map at the end of a run is another one, with loops closed.)
   *
   * @param held version of the map that the robot holds; 0 for none
   */
  public MapMessage since(long held) {
    MapTiles tiles = MapTiles.of(newest);
    boolean known = held >= first && held <= version && held > 0;
    BitSet changed = new BitSet(tiles.count());
    for (int tile = 0; tile < tiles.count(); tile++) {
      changed.set(tile, !known || changedAt.getOrDefault(place(tiles, tile), 0L) > held);
    }
    return MapMessage.of(newest, known ? held : 0, correction, changed, false);
  }
}
