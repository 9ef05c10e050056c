package org.cartostream.broker.map;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.tile.MapTiles;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * The history of one run's map at the service, by which a robot is sent only the tiles that it
 * lacks. Tiles are compared by their content, so it does not matter whose map was the best one
 * before.
 *
 * <p>Owns the newest map and, for each tile, the version at which its content changed last. A robot
 * that holds some version lacks the tiles that changed later, whatever was lost on the way. Not for
 * several threads.
 */
public final class MapHistory {

  private record TileIndex(int x, int y) {}

  private final Map<TileIndex, Long> changedAt = new HashMap<>();
  private OccupancyGrid newest;

  /** The first version that there was; what a robot holds from before is of no use. */
  private long first;

  private long version;

  /** Number of the newest correction that the newest map shows. */
  private int correction;

  /**
   * The map has changed.
   *
   * @param itsVersion number of the last reading in it; greater than those before
   * @param itsCorrection number of the newest correction that it shows
   */
  public void update(OccupancyGrid grid, long itsVersion, int itsCorrection) {
    if (newest == null) {
      first = itsVersion;
      newest = new OccupancyGrid(0, 0, grid.resolution(), 0, 0, new byte[0]);
    }
    recordChanges(newest, grid, itsVersion);
    recordChanges(grid, newest, itsVersion); // One map may end where the other goes on.
    newest = grid;
    version = itsVersion;
    correction = itsCorrection;
  }

  /** Enters the tiles of one map in which the other is different. */
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
   * The newest map on the way for a robot; there must be one. (The run's last is another: its loops
   * are closed.)
   *
   * @param held version that the robot holds, 0 for none
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
