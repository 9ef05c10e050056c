package org.cartostream.slam.map;

/**
 * The map that a particle matches against: where beams ended, as tiles shared with the particle's
 * relatives until one of them writes.
 *
 * <p>Like GMapping's, it keeps per cell the mean of the hits and no free space, which is traced
 * when a map is published. Beside the hits, each cell knows the hit mean that is nearest to its
 * centre within {@link #REACH} cells: so scoring a beam is one look-up and one distance, exact to a
 * thirty-second of a cell, where GMapping searches nine cells.
 *
 * <p>Coordinates are fixed-point, {@link #UNITS} per cell: sums are then the same in any order and
 * on any machine.
 */
public final class TiledMap {

  /** Fixed-point units per cell. */
  public static final int UNITS = 1 << 8;

  /** How many cells away a hit mean can be and still be found. */
  public static final int REACH = 3;

  /** Entries of a kernel for {@link #sum}, without the one for beams that end near no hit. */
  public static final int KERNEL_ENTRIES = (REACH * 512) * (REACH * 512) >> 10;

  private static final int UNIT_BITS = 8;

  private final TileTable<Tile> tiles;
  private int occupied;

  public TiledMap() {
    this(new TileTable<>(Tile::new, tile -> tile.owner, Tile::copyFor), 0);
  }

  private TiledMap(TileTable<Tile> tiles, int occupied) {
    this.tiles = tiles;
    this.occupied = occupied;
  }

  /** A map with the same content. It costs nothing until either is written to. */
  public TiledMap fork() {
    return new TiledMap(tiles.fork(), occupied);
  }

  /** The squared distance, in cells, for which a kernel's entry stands. */
  public static double squaredCells(int entry) {
    return (entry + 0.5) * 1024 / (512 * 512);
  }

  /** Number of cells with hits. */
  public int occupiedCells() {
    return occupied;
  }

  /** Adds a hit at fixed-point position (x, y). */
  public void hit(int x, int y) {
    int cellX = x >> UNIT_BITS;
    int cellY = y >> UNIT_BITS;
    Tile tile = tiles.own(cellX >> Tile.BITS, cellY >> Tile.BITS);
    int inX = cellX & Tile.MASK;
    int inY = cellY & Tile.MASK;
    int before = tile.hit(inX, inY, x & (UNITS - 1), y & (UNITS - 1));
    if (before == Tile.UNCHANGED) {
      return;
    }
    if (before == Tile.WAS_EMPTY) {
      occupied++;
    }
    spread(cellX, cellY, before, tile.mean(inX, inY));
  }

  /** Fills an empty cell with what another map has there. */
  void put(int cellX, int cellY, int hits, int sumX, int sumY) {
    Tile tile = tiles.own(cellX >> Tile.BITS, cellY >> Tile.BITS);
    tile.put(cellX & Tile.MASK, cellY & Tile.MASK, hits, sumX, sumY);
    occupied++;
    spread(cellX, cellY, Tile.WAS_EMPTY, tile.mean(cellX & Tile.MASK, cellY & Tile.MASK));
  }

  /**
   * Lets the cells around (cellX, cellY) know its new mean; {@code before} is -1 or the old one.
   */
  private void spread(int cellX, int cellY, int before, int mean) {
    int tileX0 = (cellX - REACH) >> Tile.BITS;
    int tileX1 = (cellX + REACH) >> Tile.BITS;
    int tileY0 = (cellY - REACH) >> Tile.BITS;
    int tileY1 = (cellY + REACH) >> Tile.BITS;
    for (int tileY = tileY0; tileY <= tileY1; tileY++) {
      for (int tileX = tileX0; tileX <= tileX1; tileX++) {
        Tile tile = tiles.own(tileX, tileY);
        int x0 = Math.max(cellX - REACH, tileX << Tile.BITS);
        int x1 = Math.min(cellX + REACH, (tileX << Tile.BITS) + Tile.MASK);
        int y0 = Math.max(cellY - REACH, tileY << Tile.BITS);
        int y1 = Math.min(cellY + REACH, (tileY << Tile.BITS) + Tile.MASK);
        for (int y = y0; y <= y1; y++) {
          for (int x = x0; x <= x1; x++) {
            update(tile, x, y, cellX - x, cellY - y, before, mean);
          }
        }
      }
    }
  }

  /** Compares cell (x, y)'s nearest hit mean with the changed one, (cellDx, cellDy) cells away. */
  private void update(Tile tile, int x, int y, int cellDx, int cellDy, int before, int mean) {
    int at = (y & Tile.MASK) << Tile.BITS | (x & Tile.MASK);
    int dx = offset(cellDx, mean & 0xff);
    int dy = offset(cellDy, mean >> 8);
    short now = tile.nearest[at];
    if (now == Tile.NONE) {
      tile.nearest[at] = pack(dx, dy);
      return;
    }
    int nowX = (byte) now;
    int nowY = now >> 8;
    if (rank(dx, dy) <= rank(nowX, nowY)) {
      tile.nearest[at] = pack(dx, dy);
    } else if (before != Tile.WAS_EMPTY
        && nowX == offset(cellDx, before & 0xff)
        && nowY == offset(cellDy, before >> 8)) {
      // The nearest mean was this cell's own, and it moved away: another may be nearer now.
      tile.nearest[at] = search(x, y);
    }
  }

  /** A mean's offset from the centre of a cell that lies {@code cells} cells before its own. */
  private static int offset(int cells, int mean) {
    return 32 * cells + mean - 16;
  }

  /** Orders offsets by distance, then by row and column: no two cells' means rank the same. */
  private static int rank(int dx, int dy) {
    int x = 2 * dx + 1;
    int y = 2 * dy + 1;
    int cell = ((dy + 16 >> 5) + REACH) << 3 | ((dx + 16 >> 5) + REACH);
    return (x * x + y * y) << 6 | cell;
  }

  private static short pack(int dx, int dy) {
    return (short) (dy << 8 | dx & 0xff);
  }

  /**
   * The entry of {@link Tile#nearest} for cell (x, y), from the hits alone: ring by ring, until
   * what is found is nearer than the next ring can be.
   */
  short search(int x, int y) {
    int best = searched(Integer.MAX_VALUE, x, y, 0, 0);
    for (int ring = 1; ring <= REACH && best >> 6 > nearestOfRing(ring); ring++) {
      for (int d = -ring; d <= ring; d++) {
        best = searched(best, x, y, d, -ring);
        best = searched(best, x, y, d, ring);
      }
      for (int d = 1 - ring; d < ring; d++) {
        best = searched(best, x, y, -ring, d);
        best = searched(best, x, y, ring, d);
      }
    }
    if (best == Integer.MAX_VALUE) {
      return Tile.NONE;
    }
    int dx = (best & 7) - REACH;
    int dy = (best >> 3 & 7) - REACH;
    int mean = tile(x + dx, y + dy).mean(x + dx & Tile.MASK, y + dy & Tile.MASK);
    return pack(offset(dx, mean & 0xff), offset(dy, mean >> 8));
  }

  /** The least squared distance of a mean in a ring of cells from the centre, in 1/64 cell. */
  private static int nearestOfRing(int ring) {
    int distance = 64 * ring - 33;
    return distance * distance;
  }

  /**
   * The better of {@code best} and the rank of the mean of cell (x + dx, y + dy), if it has hits.
   */
  private int searched(int best, int x, int y, int dx, int dy) {
    Tile tile = tile(x + dx, y + dy);
    int inX = x + dx & Tile.MASK;
    int inY = y + dy & Tile.MASK;
    if (tile == null || !tile.isOccupied(inX, inY)) {
      return best;
    }
    int mean = tile.mean(inX, inY);
    return Math.min(best, rank(offset(dx, mean & 0xff), offset(dy, mean >> 8)));
  }

  private Tile tile(int cellX, int cellY) {
    return tiles.get(cellX >> Tile.BITS, cellY >> Tile.BITS);
  }

  /**
   * Sums {@code kernel} over beams whose ends lie at fixed-point positions (x[i] + atX, y[i] +
   * atY): each adds {@code kernel[min(d² >> 10, last)]}, where d is the distance to the nearest hit
   * mean in 1/512 cell; a beam that ends near no hit adds the last entry.
   */
  public long sum(int[] kernel, int[] x, int[] y, int beams, int atX, int atY) {
    Object[][] blocks = tiles.blocks;
    int column0 = tiles.column0;
    int row0 = tiles.row0;
    int columns = tiles.columns;
    int rows = tiles.rows;
    int last = kernel.length - 1;
    long sum = 0;
    for (int i = 0; i < beams; i++) {
      int endX = x[i] + atX;
      int endY = y[i] + atY;
      int column = (endX >> 17) - column0;
      int row = (endY >> 17) - row0;
      int index = last;
      if (column >= 0 && column < columns && row >= 0 && row < rows) {
        Object[] block = blocks[row * columns + column];
        if (block != null) {
          Tile tile = (Tile) block[endY >> 9 & 0xf0 | endX >> 13 & 0xf];
          if (tile != null) {
            int near = tile.nearest[endY >> 3 & 0x3e0 | endX >> 8 & 0x1f];
            int dx = 16 * (byte) near + 263 - 2 * (endX & 0xff);
            int dy = 16 * (near >> 8) + 263 - 2 * (endY & 0xff);
            index = near == Tile.NONE ? last : Math.min(dx * dx + dy * dy >> 10, last);
          }
        }
      }
      sum += kernel[index];
    }
    return sum;
  }

  TileTable<Tile> tiles() {
    return tiles;
  }
}
