package org.cartostream.slam.map;

import java.util.Arrays;

/**
 * The tiles of one map in which the beams of one scan end, so that scoring pose after pose need not
 * look for them again: from one pose to the next nearly every beam ends in the tile where it ended
 * before.
 *
 * <p>Owns only what it has found. It must be laid anew when the map has been written to, or when it
 * comes back with a state that was put away.
 */
public final class ScanTileCache {

  private static final short[] NOTHING = new short[Tile.SIDE * Tile.SIDE];

  static {
    Arrays.fill(NOTHING, Tile.NONE);
  }

  /** The side of a tile. */
  private static final int TILE_UNITS = Tile.SIDE * TiledMap.UNITS;

  private transient TiledMap map;

  /** Per beam, the tile at hand: its row in the high half, its column in the low one. */
  private transient int[] tiles = new int[0];

  /** Per beam, {@link Tile#nearest} of that tile. */
  private transient short[][] nearest = new short[0][];

  @SuppressWarnings("UnusedMethod")
  private Object readResolve() {
    tiles = new int[0];
    nearest = new short[0][];
    return this;
  }

  /**
   * Lays it over {@code map}, where beams end at fixed-point positions (x[i] + atX, y[i] + atY).
   */
  public void locate(TiledMap map, int[] x, int[] y, int beams, int atX, int atY) {
    this.map = map;
    if (tiles.length < beams) {
      tiles = new int[beams];
      nearest = new short[beams][];
    }
    for (int i = 0; i < beams; i++) {
      find(i, x[i] + atX, y[i] + atY);
    }
  }

  /**
   * Sums {@code kernel} over beams whose ends lie at fixed-point positions (x[i] + atX, y[i] +
   * atY): each adds {@code kernel[min(d² >> 10, last)]}, where d is the distance to the nearest hit
   * mean in 1/512 cell; a beam that ends near no hit adds the last entry.
   */
  public long sum(int[] kernel, int[] x, int[] y, int beams, int atX, int atY) {
    int last = kernel.length - 1;
    long sum = 0;
    int i = 0;
    while (i < beams) {
      int endX = x[i] + atX;
      int endY = y[i] + atY;
      if (tiles[i] != tile(endX, endY)) {
        find(i, endX, endY);
      }
      // One look-up for a run of beams that end in one tile.
      short[] near = nearest[i];
      int cornerX = endX & -TILE_UNITS;
      int cornerY = endY & -TILE_UNITS;
      do {
        int mean = near[endY >> 3 & 0x3e0 | endX >> 8 & 0x1f];
        sum += kernel[Math.min(squaredDistance(mean, endX, endY) >> 10, last)];
        i++;
        if (i == beams) {
          return sum;
        }
        endX = x[i] + atX;
        endY = y[i] + atY;
      } while (((endX ^ cornerX | endY ^ cornerY) & -TILE_UNITS) == 0);
    }
    return sum;
  }

  /**
   * How many beams end within a kernel's reach of a hit; or any number below {@code least}, if it
   * is fewer than that.
   */
  public int near(int[] x, int[] y, int beams, int atX, int atY, int least) {
    int near = beams;
    for (int i = 0; i < beams && near >= least; i++) {
      int endX = x[i] + atX;
      int endY = y[i] + atY;
      if (tiles[i] != tile(endX, endY)) {
        find(i, endX, endY);
      }
      int mean = nearest[i][endY >> 3 & 0x3e0 | endX >> 8 & 0x1f];
      if (squaredDistance(mean, endX, endY) >> 10 >= TiledMap.KERNEL_ENTRIES) {
        near--;
      }
    }
    return near;
  }

  /** The entry of a kernel for a single beam that ends at (endX, endY). */
  public static int entry(TiledMap map, int endX, int endY) {
    Tile tile = map.tiles().get(endX >> 13, endY >> 13);
    if (tile == null) {
      return TiledMap.KERNEL_ENTRIES;
    }
    int near = tile.nearest[endY >> 3 & 0x3e0 | endX >> 8 & 0x1f];
    return Math.min(TiledMap.KERNEL_ENTRIES, squaredDistance(near, endX, endY) >> 10);
  }

  /** Most often the beam before ends in the same tile. */
  private void find(int beam, int endX, int endY) {
    int at = tile(endX, endY);
    tiles[beam] = at;
    if (beam > 0 && tiles[beam - 1] == at) {
      nearest[beam] = nearest[beam - 1];
      return;
    }
    Tile tile = map.tiles().get(endX >> 13, endY >> 13);
    nearest[beam] = tile == null ? NOTHING : tile.nearest;
  }

  /** Tiles whose columns are 65,536 apart are taken for one: no beam jumps so far, 100 km. */
  private static int tile(int endX, int endY) {
    return endY >> 13 << 16 ^ endX >> 13;
  }

  /**
   * The squared distance of (endX, endY) to the mean that its cell's entry of {@link Tile#nearest}
   * names, in 1/512 cell. {@link Tile#NONE}, read as an offset, is farther away than any kernel
   * reaches.
   */
  static int squaredDistance(int near, int endX, int endY) {
    int dx = 16 * (byte) near + 263 - 2 * (endX & 0xff);
    int dy = 16 * (near >> 8) + 263 - 2 * (endY & 0xff);
    return dx * dx + dy * dy;
  }
}
