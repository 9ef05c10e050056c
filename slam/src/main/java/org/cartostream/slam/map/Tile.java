package org.cartostream.slam.map;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * 32 × 32 cells of a {@link TiledMap}: the hits that fell into each, and for each cell the hit mean
 * nearest to its centre.
 *
 * <p>Owns: which cells are occupied (a bit each), and per occupied cell, in row-major order, the
 * number of hits, the sums of their offsets within the cell, and when it was written last. Walls
 * are thin, so the packed form is much smaller than a dense one. {@link #nearest} is derived: a
 * pure function of the occupied cells of this tile and its neighbours. It takes more memory than
 * all other fields, and is packed while the tile is not read.
 */
final class Tile {

  static final int BITS = 5;
  static final int SIDE = 1 << BITS;
  static final int MASK = SIDE - 1;

  /** Entry of {@link #nearest} where no hit is near. Its x offset lies outside what can occur. */
  static final short NONE = (short) 0x8080;

  /**
   * Entry of {@link #nearest} if the nearest hit mean has moved away: the next reader computes the
   * entry anew ({@link TiledMap#nearest}). Its y offset lies outside what can occur.
   */
  static final short PUT_OFF = (short) 0x8000;

  private static final short[] NOTHING_NEAR = new short[SIDE * SIDE];

  private static final short[] ALL_PUT_OFF = new short[SIDE * SIDE];

  static {
    Arrays.fill(NOTHING_NEAR, NONE);
    Arrays.fill(ALL_PUT_OFF, PUT_OFF);
  }

  /** Number of entries of {@link #nearest} in a piece; a packed table leaves out empty pieces. */
  private static final int PIECE = 16;

  /** Number of leading elements of {@link #packed} that are masks of the pieces kept. */
  private static final int MASKS = SIDE * SIDE / PIECE / Short.SIZE;

  /** Number of hits from which on a cell takes no more, so that the sums fit in an int. */
  private static final int MAX_HITS = 1 << 16;

  /** Number of elements of {@link #cells} per occupied cell. */
  static final int RECORD = 5;

  /** Number of leading fields of a record that are sent; the mean is computed from them. */
  static final int SENT = 3;

  /** Index of the mean within a record. */
  private static final int MEAN = 3;

  /** Index, within a record, of the key frame at which the cell was written last. */
  private static final int WRITTEN = 4;

  /** Size of {@link #nearest} in memory, with the array's head, bytes. */
  static final int NEAREST_BYTES = SIDE * SIDE * Short.BYTES + 16;

  /**
   * Size in memory without {@link #cells}, bytes: the object, {@link #rows}, {@link #before} and
   * {@link #nearest}, with the heads of four arrays.
   */
  static final int FIXED_BYTES = 48 + SIDE * 4 + SIDE * 2 + NEAREST_BYTES + 3 * 16;

  /** The map that may write to this tile; another must copy it first. */
  final Object owner;

  /** Per row, a bit for each occupied cell; bit 0 is the lowest x. */
  final int[] rows;

  /**
   * Per occupied cell: hits, sum of x offsets, sum of y offsets (1/256 cell, 0 to 255 each), the
   * mean that follows from them, and the key frame at which it was written last.
   */
  int[] cells;

  int occupied;

  /** The latest key frame at which a cell was written. */
  int written;

  /** Time at which {@link #nearest} was last read or changed, in ticks of {@link TiledMap#tick}. */
  private transient int lookedAt;

  /**
   * Per row, the number of occupied cells in the rows below: the row's first record in {@link
   * #cells}.
   */
  private final short[] before;

  /**
   * Per cell ({@link #at}), where the nearest hit mean lies from the cell's centre: y offset in the
   * high byte, x offset in the low one, 1/32 cell, each standing for the middle of its step. Null
   * if the tile was not read for long. Not part of a checkpoint: if this and {@link #packed} are
   * null, all entries are put off.
   */
  private transient short[] nearest;

  /**
   * Packed form of {@link #nearest} while that is null: a bit for each piece that is not all {@link
   * #NONE}, and these pieces in order. Never written to.
   */
  private transient short[] packed;

  Tile(Object owner) {
    this.owner = owner;
    rows = new int[SIDE];
    before = new short[SIDE];
    cells = new int[RECORD * 8];
    nearest = NOTHING_NEAR.clone();
  }

  private Tile(Object owner, Tile from) {
    this.owner = owner;
    rows = from.rows.clone();
    before = from.before.clone();
    // With room for a few more cells: a tile is copied because a cell will be written.
    cells = Arrays.copyOf(from.cells, RECORD * (from.occupied + 8));
    occupied = from.occupied;
    written = from.written;
    lookedAt = from.lookedAt;
    short[] its = from.nearest;
    nearest = its == null ? null : its.clone();
    packed = its == null ? from.packed : null;
  }

  /**
   * Returns {@link #nearest}, unpacked if need be, and notes the time of reading. Threads that
   * share the tile may each make a table: their contents are the same.
   */
  short[] nearestAt(int time) {
    if (lookedAt < time) { // Not written where nothing changes: threads share the tile.
      lookedAt = time;
    }
    short[] its = nearest;
    if (its == null) {
      short[] small = packed;
      its = small == null ? ALL_PUT_OFF.clone() : unpacked(small);
      // Another thread must see no zeros in it.
      VarHandle.storeStoreFence();
      nearest = its;
      packed = null;
    }
    return its;
  }

  /**
   * Packs {@link #nearest} if it was not read since a time. Threads that share the tile may do so
   * at once.
   */
  void packUnseenSince(int time) {
    short[] its = nearest;
    if (lookedAt < time && its != null) {
      short[] small = packed(its);
      int[] trimmed = Arrays.copyOf(cells, RECORD * occupied);
      VarHandle.storeStoreFence();
      cells = trimmed;
      packed = small;
      nearest = null;
    }
  }

  private static short[] packed(short[] all) {
    short[] packed = new short[MASKS + all.length];
    int next = MASKS;
    for (int from = 0; from < all.length; from += PIECE) {
      if (!Arrays.equals(all, from, from + PIECE, NOTHING_NEAR, 0, PIECE)) {
        int piece = from / PIECE;
        packed[piece / Short.SIZE] |= (short) (1 << piece % Short.SIZE);
        System.arraycopy(all, from, packed, next, PIECE);
        next += PIECE;
      }
    }
    return Arrays.copyOf(packed, next);
  }

  private static short[] unpacked(short[] packed) {
    short[] all = NOTHING_NEAR.clone();
    int next = MASKS;
    for (int piece = 0; next < packed.length; piece++) {
      if ((packed[piece / Short.SIZE] >>> piece % Short.SIZE & 1) != 0) {
        System.arraycopy(packed, next, all, piece * PIECE, PIECE);
        next += PIECE;
      }
    }
    return all;
  }

  /**
   * Returns the index of cell (x, y) in {@link #nearest}, by the low bits of x and y. Blocks of 8 x
   * 4 cells lie together, as many bytes as a processor fetches at once: a climb asks for a beam's
   * neighbours in all directions.
   */
  static int at(int x, int y) {
    return (y & 0x1c) << 5 | (x & 0x18) << 2 | (y & 3) << 3 | x & 7;
  }

  Tile copyFor(Object newOwner) {
    return new Tile(newOwner, this);
  }

  /** Bytes of memory that the tile takes. */
  long bytes() {
    short[] small = packed;
    int derived =
        nearest != null ? NEAREST_BYTES : small == null ? 0 : 16 + Short.BYTES * small.length;
    return FIXED_BYTES - NEAREST_BYTES + derived + (long) Integer.BYTES * cells.length;
  }

  boolean isOccupied(int x, int y) {
    return (rows[y] >>> x & 1) != 0;
  }

  /**
   * Returns the index of the record of cell (x, y) in {@link #cells}, or where it would be
   * inserted.
   */
  private int place(int x, int y) {
    return RECORD * (before[y] + Integer.bitCount(rows[y] & ((1 << x) - 1)));
  }

  /** Value that {@link #add} returns if the cell was empty. */
  static final int WAS_EMPTY = -1;

  /**
   * Adds hits to cell (x, y).
   *
   * @param sumX sum of the hits' x offsets within the cell, 1/256 cell; {@code sumY} likewise
   * @param keyFrame the present key frame
   * @return the cell's mean before, or {@link #WAS_EMPTY}
   */
  int add(int x, int y, int hits, int sumX, int sumY, int keyFrame) {
    int at = place(x, y);
    if (!isOccupied(x, y)) {
      insert(at, x, y, hits, sumX, sumY);
      write(at, keyFrame);
      return WAS_EMPTY;
    }
    int mean = cells[at + MEAN];
    if (cells[at] < MAX_HITS) {
      cells[at] += hits;
      cells[at + 1] += sumX;
      cells[at + 2] += sumY;
      cells[at + MEAN] = meanOf(at);
      write(at, keyFrame);
    }
    return mean;
  }

  private void write(int at, int keyFrame) {
    cells[at + WRITTEN] = keyFrame;
    written = Math.max(written, keyFrame);
  }

  /** Per row, a bit for each cell that was written after a key frame. */
  int[] rowsWrittenAfter(int keyFrame) {
    int[] later = new int[SIDE];
    int at = WRITTEN;
    for (int y = 0; y < SIDE; y++) {
      for (int bits = rows[y]; bits != 0; bits &= bits - 1) {
        later[y] |= cells[at] > keyFrame ? Integer.lowestOneBit(bits) : 0;
        at += RECORD;
      }
    }
    return later;
  }

  /** Number of cells that were written after a key frame. */
  int cellsWrittenAfter(int keyFrame) {
    int count = 0;
    for (int record = 0; record < occupied && written > keyFrame; record++) {
      count += cells[record * RECORD + WRITTEN] > keyFrame ? 1 : 0;
    }
    return count;
  }

  private void insert(int at, int x, int y, int hits, int sumX, int sumY) {
    int used = RECORD * occupied;
    if (used + RECORD > cells.length) {
      cells = Arrays.copyOf(cells, cells.length + cells.length / 2 + RECORD);
    }
    System.arraycopy(cells, at, cells, at + RECORD, used - at);
    cells[at] = hits;
    cells[at + 1] = sumX;
    cells[at + 2] = sumY;
    cells[at + MEAN] = meanOf(at);
    rows[y] |= 1 << x;
    occupied++;
    for (int row = y + 1; row < SIDE; row++) {
      before[row]++;
    }
  }

  /** Mean of occupied cell (x, y): {@code y << 8 | x} in 1/32 cell. */
  int mean(int x, int y) {
    return cells[place(x, y) + MEAN];
  }

  /** Hits in occupied cell (x, y). */
  int hits(int x, int y) {
    return cells[place(x, y)];
  }

  /** Sum of the x offsets of the hits in occupied cell (x, y), 1/256 cell each. */
  int sumX(int x, int y) {
    return cells[place(x, y) + 1];
  }

  /** Sum of the y offsets of the hits in occupied cell (x, y), 1/256 cell each. */
  int sumY(int x, int y) {
    return cells[place(x, y) + 2];
  }

  private int meanOf(int at) {
    int hits = cells[at];
    // An offset of k stands for the middle of [k, k + 1): hence half a unit is added to the mean.
    int x = ((2 * cells[at + 1] + hits) / (2 * hits)) >> 3;
    int y = ((2 * cells[at + 2] + hits) / (2 * hits)) >> 3;
    return Math.min(y, 31) << 8 | Math.min(x, 31);
  }
}
