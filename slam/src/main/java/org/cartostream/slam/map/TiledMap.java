package org.cartostream.slam.map;

/**
 * The map that a particle matches against: the end points of beams, in tiles that are shared with
 * related particles until one of them writes (copy on write).
 *
 * <p>Like GMapping's, it keeps per cell the mean of the hits and no free space, which is traced
 * when a map is published. Beside the hits, each cell knows the hit mean that is nearest to its
 * centre within {@link #REACH} cells: so scoring a beam ({@link ScanTileCache}) is one look-up and
 * one distance, exact to a thirty-second of a cell, where GMapping searches nine cells.
 *
 * <p>The map also keeps when each cell was written last, so that a receiver that has the map as of
 * a key frame need only be sent the later cells ({@link MapCodec#encode(TiledMap, int)}).
 *
 * <p>Coordinates are fixed-point, {@link #UNITS} per cell: sums are then the same in any order and
 * on any machine.
 */
public final class TiledMap {

  /** Fixed-point units per cell. */
  public static final int UNITS = 1 << 8;

  /** Distance in cells within which a hit mean is found. */
  public static final int REACH = 3;

  /**
   * Entries of a kernel for {@link ScanTileCache#sum}, without the one for beams that end near no
   * hit.
   */
  public static final int KERNEL_ENTRIES = (REACH * 512) * (REACH * 512) >> 10;

  static final int UNIT_BITS = 8;

  /** A bit for each cell of a row within {@link #REACH}. */
  private static final int WINDOW = (1 << 2 * REACH + 1) - 1;

  /** Number of hits that settle a mean: one may be a passer-by, two in one cell are a wall. */
  private static final int SETTLED_HITS = 2;

  /**
   * Squared distance from a settled mean within which a hit tells nothing new: the square of one
   * and a half cells, in 1/512 cell. So a wall stays where it was seen first; if it followed every
   * later error of the pose, it would thicken round by round.
   */
  private static final int SETTLED_REACH = 768 * 768;

  /** Number of key frames after which an unread tile may be packed; after twice as many it is. */
  static final int UNSEEN = 16;

  private final TileTable tiles;
  private int occupied;
  private int keyFrame;

  /** Number of calls of {@link #tick} on this map and on the maps that it was forked from. */
  private transient int time;

  public TiledMap() {
    this(new TileTable(), 0, 0, 0);
  }

  private TiledMap(TileTable tiles, int occupied, int keyFrame, int time) {
    this.tiles = tiles;
    this.occupied = occupied;
    this.keyFrame = keyFrame;
    this.time = time;
  }

  /** A map with the same content. It costs nothing until either is written to. */
  public TiledMap fork() {
    return new TiledMap(tiles.fork(), occupied, keyFrame, time);
  }

  /**
   * Begins a key frame: cells written from now on are marked with its number.
   *
   * @param keyFrame number of the key frame in the run, from 1
   */
  public void setKeyFrame(int keyFrame) {
    this.keyFrame = keyFrame;
  }

  /**
   * Packs tiles that were not read lately; to be called once per key frame. Each call looks at a
   * part of the tiles. The map's content stays the same.
   */
  public void tick() {
    time++;
    tiles.forEach(time % UNSEEN, UNSEEN, (x, y, tile) -> tile.packUnseenSince(time - UNSEEN));
  }

  /** Returns the squared distance, in cells, for which a kernel's entry stands. */
  public static double squaredCells(int entry) {
    return (entry + 0.5) * 1024 / (512 * 512);
  }

  /** Number of cells with hits. */
  public int occupiedCells() {
    return occupied;
  }

  /** Number of cells that were written after a key frame. */
  int cellsWrittenAfter(int keyFrame) {
    int[] count = {0};
    tiles.forEach((x, y, tile) -> count[0] += tile.cellsWrittenAfter(keyFrame));
    return count[0];
  }

  /**
   * Adds hits at fixed-point positions (x[i] + atX, y[i] + atY). Neighbours in the array that fall
   * into one cell are added at once.
   */
  public void hit(int[] x, int[] y, int count, int atX, int atY) {
    for (int i = 0; i < count; ) {
      int cellX = x[i] + atX >> UNIT_BITS;
      int cellY = y[i] + atY >> UNIT_BITS;
      int hits = 0;
      int sumX = 0;
      int sumY = 0;
      do {
        if (!isSettled(cellX, cellY, x[i] + atX, y[i] + atY)) {
          hits++;
          sumX += x[i] + atX & (UNITS - 1);
          sumY += y[i] + atY & (UNITS - 1);
        }
        i++;
      } while (i < count && x[i] + atX >> UNIT_BITS == cellX && y[i] + atY >> UNIT_BITS == cellY);
      if (hits > 0) {
        add(cellX, cellY, hits, sumX, sumY);
      }
    }
  }

  /**
   * Returns true if the cell's nearest mean has settled, and a hit at (x, y) is so near to it that
   * the hit adds nothing: a wall seen often enough neither thickens nor wanders by noise, and a map
   * that is only seen again stays shared and does not grow.
   */
  private boolean isSettled(int cellX, int cellY, int x, int y) {
    Tile tile = tile(cellX, cellY);
    if (tile == null) {
      return false;
    }
    int near = nearest(tile, cellX, cellY);
    if (near == Tile.NONE || ScanTileCache.squaredDistance(near, x, y) > SETTLED_REACH) {
      return false;
    }
    int nearX = cellX + ((byte) near + 16 >> 5);
    int nearY = cellY + ((near >> 8) + 16 >> 5);
    return tile(nearX, nearY).hits(nearX & Tile.MASK, nearY & Tile.MASK) >= SETTLED_HITS;
  }

  /** Adds hits, and the sums of their offsets within the cell, to one cell. */
  void add(int cellX, int cellY, int hits, int sumX, int sumY) {
    Tile tile = tiles.own(cellX >> Tile.BITS, cellY >> Tile.BITS);
    int inX = cellX & Tile.MASK;
    int inY = cellY & Tile.MASK;
    int before = tile.add(inX, inY, hits, sumX, sumY, keyFrame);
    int mean = tile.mean(inX, inY);
    if (before == Tile.WAS_EMPTY) {
      occupied++;
    }
    if (mean != before) {
      spread(cellX, cellY, before, mean);
    }
  }

  /**
   * Raises a cell's hits and sums of offsets to given values. A cell that has these already stays
   * shared.
   *
   * @throws IllegalArgumentException if the cell has more hits already
   */
  void raise(int cellX, int cellY, int hits, int sumX, int sumY) {
    Tile tile = tile(cellX, cellY);
    int inX = cellX & Tile.MASK;
    int inY = cellY & Tile.MASK;
    if (tile == null || !tile.isOccupied(inX, inY)) {
      add(cellX, cellY, hits, sumX, sumY);
      return;
    }
    int more = hits - tile.hits(inX, inY);
    if (more < 0) {
      throw new IllegalArgumentException(
          "cell (%d, %d) has had %d hits, and cannot have %d"
              .formatted(cellX, cellY, tile.hits(inX, inY), hits));
    }
    if (more > 0) {
      add(cellX, cellY, more, sumX - tile.sumX(inX, inY), sumY - tile.sumY(inX, inY));
    }
  }

  /**
   * Updates the nearest hit means of the cells around (cellX, cellY) after its mean has changed.
   * {@code before} is the old mean, or {@link Tile#WAS_EMPTY}.
   */
  private void spread(int cellX, int cellY, int before, int mean) {
    int tileX0 = (cellX - REACH) >> Tile.BITS;
    int tileX1 = (cellX + REACH) >> Tile.BITS;
    int tileY0 = (cellY - REACH) >> Tile.BITS;
    int tileY1 = (cellY + REACH) >> Tile.BITS;
    for (int tileY = tileY0; tileY <= tileY1; tileY++) {
      for (int tileX = tileX0; tileX <= tileX1; tileX++) {
        update(nearest(tiles.own(tileX, tileY)), tileX, tileY, cellX, cellY, before, mean);
      }
    }
  }

  /** Updates the nearest hit means of those cells around (cellX, cellY) that lie in one tile. */
  private void update(
      short[] nearest, int tileX, int tileY, int cellX, int cellY, int before, int mean) {
    int x0 = Math.max(cellX - REACH, tileX << Tile.BITS);
    int x1 = Math.min(cellX + REACH, (tileX << Tile.BITS) + Tile.MASK);
    int y0 = Math.max(cellY - REACH, tileY << Tile.BITS);
    int y1 = Math.min(cellY + REACH, (tileY << Tile.BITS) + Tile.MASK);
    for (int y = y0; y <= y1; y++) {
      update(nearest, x0, x1, y, cellX, cellY, before, mean);
    }
  }

  /**
   * Compares the nearest hit means of cells (x0 to x1, y) with the changed one of (cellX, cellY).
   */
  private void update(
      short[] nearest, int x0, int x1, int y, int cellX, int cellY, int before, int mean) {
    int dy = offset(cellY - y, mean >> 8);
    int dyBefore = offset(cellY - y, before >> 8);
    for (int x = x0; x <= x1; x++) {
      int at = Tile.at(x, y);
      short now = nearest[at];
      if (now == Tile.PUT_OFF) {
        continue;
      }
      int dx = offset(cellX - x, mean & 0xff);
      int nowX = (byte) now;
      int nowY = now >> 8;
      // NONE, read as an offset, is farther away than any mean that can be found.
      int difference = squared(dx, dy) - squared(nowX, nowY);
      if (before != Tile.WAS_EMPTY && now == pack(offset(cellX - x, before & 0xff), dyBefore)) {
        // If the nearest mean moved away, another may be nearer now. It is looked for when the
        // entry is read, for most of these entries never are.
        nearest[at] = difference <= 0 ? pack(dx, dy) : Tile.PUT_OFF;
        continue;
      }
      if (difference == 0) {
        difference = rank(dx, dy) - rank(nowX, nowY);
      }
      // Without a branch, which would be mispredicted half of the time.
      nearest[at] = (short) (now ^ (now ^ pack(dx, dy)) & difference >> 31);
    }
  }

  /**
   * Returns the entry of {@link Tile#nearest} for a cell of a tile, computing it if it was put off.
   * The result serves all maps that share the tile: the tiles around it are the same in all, so
   * threads that compute it at once write the same.
   */
  short nearest(Tile tile, int x, int y) {
    return nearest(nearest(tile), x, y);
  }

  /** Returns {@link Tile#nearest} of a tile. */
  short[] nearest(Tile tile) {
    return tile.nearestAt(time);
  }

  /**
   * Returns the nearest hit mean of a cell from its tile's table {@code nearest}, computing it if
   * that was put off.
   */
  short nearest(short[] nearest, int x, int y) {
    int at = Tile.at(x, y);
    if (nearest[at] == Tile.PUT_OFF) {
      nearest[at] = search(x, y);
    }
    return nearest[at];
  }

  /**
   * Returns a mean's offset along one axis from the centre of a cell {@code cells} cells before the
   * mean's own, 1/32 cell.
   */
  private static int offset(int cells, int mean) {
    return 32 * cells + mean - 16;
  }

  /** Returns the squared distance of an offset, in 1/64 cell. */
  private static int squared(int dx, int dy) {
    int x = 2 * dx + 1;
    int y = 2 * dy + 1;
    return x * x + y * y;
  }

  /**
   * Returns a key that orders offsets by distance, then by row and column: it differs between
   * cells.
   */
  private static int rank(int dx, int dy) {
    int cell = ((dy + 16 >> 5) + REACH) << 3 | ((dx + 16 >> 5) + REACH);
    return squared(dx, dy) << 6 | cell;
  }

  private static short pack(int dx, int dy) {
    return (short) (dy << 8 | dx & 0xff);
  }

  /**
   * Computes the entry of {@link Tile#nearest} for cell (x, y) from the hits: row by row from the
   * middle, until the nearest mean found is nearer than the next row can be.
   */
  short search(int x, int y) {
    int best = Integer.MAX_VALUE;
    short found = Tile.NONE;
    int low0 = y - REACH >> Tile.BITS;
    Tile lowLeft = tile(x - REACH, y - REACH);
    Tile lowRight = tile(x + REACH, y - REACH);
    Tile highLeft = tile(x - REACH, y + REACH);
    Tile highRight = tile(x + REACH, y + REACH);
    for (int i = 0; i <= 2 * REACH && best >> 6 > minSquared(i + 1 >> 1); i++) {
      int dy = (i & 1) == 0 ? i >> 1 : -(i + 1 >> 1);
      int inY = y + dy & Tile.MASK;
      boolean isLow = y + dy >> Tile.BITS == low0;
      Tile first = isLow ? lowLeft : highLeft;
      Tile second = isLow ? lowRight : highRight;
      int inX = x - REACH & Tile.MASK;
      long low = first == null ? 0 : first.rows[inY] & 0xffffffffL;
      long high = first == second || second == null ? 0 : (long) second.rows[inY] << Tile.SIDE;
      int window = (int) ((low | high) >>> inX) & within(best >> 6);
      for (; window != 0; window &= window - 1) {
        int column = Integer.numberOfTrailingZeros(window);
        int in = inX + column;
        int mean = (in < Tile.SIDE ? first : second).mean(in & Tile.MASK, inY);
        int offsetX = offset(column - REACH, mean & 0xff);
        int offsetY = offset(dy, mean >> 8);
        int rank = rank(offsetX, offsetY);
        if (rank < best) {
          best = rank;
          found = pack(offsetX, offsetY);
        }
      }
    }
    return found;
  }

  /**
   * Returns the least squared distance of a mean {@code cells} rows or columns away, in 1/64 cell.
   */
  private static int minSquared(int cells) {
    int distance = Math.max(0, 64 * cells - 33);
    return distance * distance;
  }

  /**
   * Returns a bit for each column, within {@link #REACH}, that is no farther away than a squared
   * distance.
   */
  private static int within(int squared) {
    if (squared < minSquared(1)) {
      return WINDOW & 0b0001000;
    }
    if (squared < minSquared(2)) {
      return WINDOW & 0b0011100;
    }
    return squared < minSquared(3) ? WINDOW & 0b0111110 : WINDOW;
  }

  private Tile tile(int cellX, int cellY) {
    return tiles.get(cellX >> Tile.BITS, cellY >> Tile.BITS);
  }

  TileTable tiles() {
    return tiles;
  }
}
