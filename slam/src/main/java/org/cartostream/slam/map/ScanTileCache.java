package org.cartostream.slam.map;

import java.util.Arrays;

/**
 * Cache of one map's tiles around one scan, so that scoring pose after pose need not search the
 * map: a table wider than the scan, in which a tile stands by the low bits of its column and row.
 *
 * <p>A score is summed in passes over the beams. Passes that neither look up nor branch are
 * compiled to vector instructions.
 *
 * <p>Owns the references found. {@link #locate} must be called again when the map was written to,
 * or when the cache was restored from a checkpoint.
 */
public final class ScanTileCache {

  private static final short[] NOTHING = new short[Tile.SIDE * Tile.SIDE];

  static {
    Arrays.fill(NOTHING, Tile.NONE);
  }

  /** Side of a tile in map units, as a power of two. */
  private static final int TILE_BITS = TiledMap.UNIT_BITS + Tile.BITS;

  /** Number of bits that tell a cell of a tile. */
  private static final int CELL_BITS = 2 * Tile.BITS;

  private static final int CELL_MASK = (1 << CELL_BITS) - 1;

  /**
   * Margin of the table around a scan, tiles, within which poses may move before it is laid anew.
   */
  private static final int MARGIN = 2;

  /** Logarithm (base 2) of the widest table's side; that table takes 1 MB. */
  private static final int MAX_BITS = 9;

  private transient TiledMap map;

  /** {@link Tile#nearest} of each tile used so far, row by row; null for the others. */
  private transient short[][] table = new short[1][];

  /** Logarithm (base 2) of the table's side; beyond {@link #MAX_BITS} no table is used. */
  private transient int bits;

  /** Indices in the table of the tiles used so far. */
  private transient int[] met = new int[16];

  private transient int metCount;

  /** Column and row of the tile in the table's middle. */
  private transient int column;

  private transient int row;

  /** Scratch space, one number per beam. */
  private transient int[] scratch = new int[0];

  @SuppressWarnings("UnusedMethod")
  private Object readResolve() {
    table = new short[1][];
    met = new int[16];
    metCount = 0;
    scratch = new int[0];
    return this;
  }

  /**
   * Centres the table on (atX, atY), wide enough for beams that end at offsets (x[i], y[i]), turned
   * by any angle; fixed-point units.
   *
   * @param shift beams are shifted by so many units along x or y
   */
  public void locate(TiledMap map, int[] x, int[] y, int beams, int atX, int atY, int shift) {
    this.map = map;
    move(atX, atY);
    int reach = 0;
    for (int i = 0; i < beams; i++) {
      reach = Math.max(reach, Math.max(Math.abs(x[i]), Math.abs(y[i])));
    }
    reach += shift;
    // Turned by 45 degrees, a beam can reach farther along an axis by a factor √2, less than 1.5.
    int tiles = (reach >> TILE_BITS) * 3 / 2 + 3;
    bits = Integer.SIZE - Integer.numberOfLeadingZeros(2 * (tiles + MARGIN));
    if (bits <= MAX_BITS && table.length < 1 << 2 * bits) {
      table = new short[1 << 2 * bits][];
    }
  }

  private void move(int atX, int atY) {
    for (int i = 0; i < metCount; i++) {
      table[met[i]] = null;
    }
    metCount = 0;
    column = atX >> TILE_BITS;
    row = atY >> TILE_BITS;
  }

  /** Returns true if the table can be used at (atX, atY), after centring it anew if need be. */
  private boolean reaches(int atX, int atY) {
    if (bits > MAX_BITS) {
      return false;
    }
    if (Math.abs((atX >> TILE_BITS) - column) > MARGIN
        || Math.abs((atY >> TILE_BITS) - row) > MARGIN) {
      move(atX, atY);
    }
    return true;
  }

  /**
   * Sums {@code kernel} over beams whose ends lie at fixed-point positions (x[i] + atX, y[i] +
   * atY): each adds {@code kernel[min(d² >> 10, last)]}, where d is the distance to the nearest hit
   * mean in 1/512 cell; a beam that ends near no hit adds the last entry.
   */
  public long sum(int[] kernel, int[] x, int[] y, int beams, int atX, int atY) {
    int last = kernel.length - 1;
    long sum = 0;
    if (!reaches(atX, atY)) {
      for (int i = 0; i < beams; i++) {
        sum += kernel[Math.min(entry(map, x[i] + atX, y[i] + atY), last)];
      }
      return sum;
    }
    int[] each = entries(x, y, beams, atX, atY);
    for (int i = 0; i < beams; i++) {
      // Not Math.min: it would be compiled to a conditional move, for one beam at a time.
      int beyond = (squaredDistance(each[i], x[i] + atX, y[i] + atY) >> 10) - last;
      each[i] = last + (beyond & beyond >> 31);
    }
    for (int i = 0; i < beams; i++) {
      sum += kernel[each[i]];
    }
    return sum;
  }

  /**
   * Scores one beam at many places: adds 1 to {@code near[i]} if (x[i] + endX, y[i] + endY) lies
   * within a kernel's reach of a hit. No place may lie farther away than the shift given to {@link
   * #locate}.
   */
  public void addNear(int[] x, int[] y, int places, int endX, int endY, int[] near) {
    if (bits > MAX_BITS) {
      for (int i = 0; i < places; i++) {
        near[i] += entry(map, x[i] + endX, y[i] + endY) < TiledMap.KERNEL_ENTRIES ? 1 : 0;
      }
      return;
    }
    int[] each = entries(x, y, places, endX, endY);
    for (int i = 0; i < places; i++) {
      int squared = squaredDistance(each[i], x[i] + endX, y[i] + endY);
      near[i] += (squared >> 10) - TiledMap.KERNEL_ENTRIES >>> 31;
    }
  }

  /** Returns the entry of {@link Tile#nearest} at each beam's end. */
  private int[] entries(int[] x, int[] y, int beams, int atX, int atY) {
    if (scratch.length < beams) {
      scratch = new int[beams];
    }
    int[] each = scratch;
    int side = bits;
    for (int i = 0; i < beams; i++) {
      each[i] = place(side, x[i] + atX, y[i] + atY);
    }
    for (int i = nearest(each, 0, beams); i < beams; i = nearest(each, i, beams)) {
      look(each[i] >>> CELL_BITS, x[i] + atX, y[i] + atY);
    }
    return each;
  }

  /**
   * Replaces each place by the entry of {@link Tile#nearest} there.
   *
   * @return the first beam whose tile or entry must be looked for, or {@code to}
   */
  private int nearest(int[] places, int from, int to) {
    for (int i = from; i < to; i++) {
      short[] nearest = table[places[i] >>> CELL_BITS];
      if (nearest == null) {
        return i;
      }
      short mean = nearest[places[i] & CELL_MASK];
      if (mean == Tile.PUT_OFF) {
        return i;
      }
      places[i] = mean;
    }
    return to;
  }

  /**
   * Returns the index in the table of the tile at (endX, endY), and in the low {@link #CELL_BITS}
   * the cell's index in the tile.
   */
  private static int place(int bits, int endX, int endY) {
    int side = (1 << bits) - 1;
    return (endY << CELL_BITS + bits - TILE_BITS & side << CELL_BITS + bits)
        | (endX >> TILE_BITS - CELL_BITS & side << CELL_BITS)
        | Tile.at(endX >> TiledMap.UNIT_BITS, endY >> TiledMap.UNIT_BITS);
  }

  /**
   * Enters the tile at a beam's end into the table, and computes its cell's entry if that was put
   * off.
   */
  private short[] look(int at, int endX, int endY) {
    Tile tile = map.tiles().get(endX >> TILE_BITS, endY >> TILE_BITS);
    if (table[at] == null) {
      table[at] = tile == null ? NOTHING : map.nearest(tile);
      if (metCount == met.length) {
        met = Arrays.copyOf(met, 2 * metCount);
      }
      met[metCount] = at;
      metCount++;
    }
    if (tile != null) {
      map.nearest(table[at], endX >> TiledMap.UNIT_BITS, endY >> TiledMap.UNIT_BITS);
    }
    return table[at];
  }

  /** Returns the index of a kernel's entry for a single beam that ends at (endX, endY). */
  public static int entry(TiledMap map, int endX, int endY) {
    Tile tile = map.tiles().get(endX >> TILE_BITS, endY >> TILE_BITS);
    if (tile == null) {
      return TiledMap.KERNEL_ENTRIES;
    }
    int near = map.nearest(tile, endX >> TiledMap.UNIT_BITS, endY >> TiledMap.UNIT_BITS);
    return Math.min(TiledMap.KERNEL_ENTRIES, squaredDistance(near, endX, endY) >> 10);
  }

  /**
   * Returns the squared distance, in 1/512 cell, of (endX, endY) from the hit mean in its cell's
   * entry of {@link Tile#nearest}. {@link Tile#NONE}, read as an offset, is farther away than any
   * kernel reaches.
   */
  static int squaredDistance(int near, int endX, int endY) {
    int dx = 16 * (near << 24 >> 24) + 263 - 2 * (endX & 0xff);
    int dy = 16 * (near >> 8) + 263 - 2 * (endY & 0xff);
    return dx * dx + dy * dy;
  }
}
