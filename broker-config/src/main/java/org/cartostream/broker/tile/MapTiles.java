package org.cartostream.broker.tile;

import java.util.Arrays;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * Place of a grid on the lattice of tiles of {@link #SIDE} x {@link #SIDE} cells, which is the same
 * for all grids of one resolution; the outermost tiles may lie in the grid in part only.
 *
 * @param column column of the lattice, in cells, at which the grid's column 0 lies
 * @param row row of the lattice, in cells, at which the grid's row 0 lies
 * @param width width of the grid, cells
 * @param height height of the grid, cells
 */
public record MapTiles(int column, int row, int width, int height) {

  /**
   * Side of a tile, cells: of 8, 16 and 32, tiles of 8 took the fewest bytes on simulated tours of
   * an office.
   */
  public static final int SIDE = 8;

  /** Largest absolute column or row, cells, so that no sum overflows an int. */
  private static final int MAX = 1 << 30;

  public MapTiles {
    if (Math.abs((long) column) > MAX || Math.abs((long) row) > MAX) {
      throw new IllegalArgumentException(
          "a map at column " + column + ", row " + row + "; at most " + MAX);
    }
  }

  /** Returns the tiles of a grid, whose origin must be a multiple of its resolution. */
  public static MapTiles of(OccupancyGrid grid) {
    return new MapTiles(
        Math.toIntExact(Math.round(grid.originX() / grid.resolution())),
        Math.toIntExact(Math.round(grid.originY() / grid.resolution())),
        grid.width(),
        grid.height());
  }

  /** Returns the column of the grid's first tiles, in tiles of the lattice. */
  public int firstX() {
    return Math.floorDiv(column, SIDE);
  }

  public int firstY() {
    return Math.floorDiv(row, SIDE);
  }

  /** Returns the number of tiles side by side. */
  public int across() {
    return width == 0 ? 0 : Math.floorDiv(column + width - 1, SIDE) - firstX() + 1;
  }

  private int upwards() {
    return height == 0 ? 0 : Math.floorDiv(row + height - 1, SIDE) - firstY() + 1;
  }

  /** Returns the number of tiles of the grid. */
  public int count() {
    return across() * upwards();
  }

  /** Visitor of a tile's rows of cells, as far as they lie in the grid. */
  public interface Rows {
    /**
     * Visits a row.
     *
     * @param from index of the row's first cell within the grid's cells
     * @param length number of cells
     */
    void row(int from, int length);
  }

  /** Visits a tile's rows from below; tiles are numbered from 0, row by row from below. */
  public void forEachRow(int tile, Rows rows) {
    int left = (firstX() + tile % across()) * SIDE - column;
    int below = (firstY() + tile / across()) * SIDE - row;
    int from = Math.max(0, left);
    int length = Math.min(width, left + SIDE) - from;
    for (int y = Math.max(0, below); y < Math.min(height, below + SIDE); y++) {
      rows.row(y * width + from, length);
    }
  }

  /**
   * Returns true if a tile's cells are not the same in another map, outside of which cells are
   * unknown. Nothing is copied, as the maps may be as large as the memory just holds.
   *
   * @param its place of the other map
   */
  public boolean differs(int tile, byte[] cells, MapTiles its, byte[] others) {
    int left = (firstX() + tile % across()) * SIDE - column;
    int below = (firstY() + tile / across()) * SIDE - row;
    int from = Math.max(0, left);
    int to = Math.min(width, left + SIDE);
    for (int y = Math.max(0, below); y < Math.min(height, below + SIDE); y++) {
      if (!isSame(y * width + from, to - from, cells, its, others)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if some cells of one row are the same in another map. */
  private boolean isSame(int from, int length, byte[] cells, MapTiles its, byte[] others) {
    int y = from / width + row - its.row;
    int x = from % width + column - its.column;
    boolean apart = y < 0 || y >= its.height || x + length <= 0 || x >= its.width;
    int first = apart ? length : Math.max(0, -x);
    int end = apart ? length : Math.min(length, its.width - x);
    int itsFirst = y * its.width + x + first;
    return isUnknown(cells, from, from + first)
        && (apart
            || Arrays.equals(
                cells, from + first, from + end, others, itsFirst, itsFirst + end - first))
        && isUnknown(cells, from + end, from + length);
  }

  private static boolean isUnknown(byte[] cells, int from, int to) {
    for (int at = from; at < to; at++) {
      if (cells[at] != OccupancyGrid.UNKNOWN) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the cells of an older map within the bounds of this one; unknown where the older one
   * has none.
   */
  public byte[] cellsOf(OccupancyGrid older) {
    byte[] cells = new byte[Math.multiplyExact(width, height)];
    Arrays.fill(cells, OccupancyGrid.UNKNOWN);
    MapTiles its = of(older);
    int from = Math.max(column, its.column);
    int to = Math.min(column + width, its.column + its.width);
    for (int y = Math.max(row, its.row); y < Math.min(row + height, its.row + its.height); y++) {
      if (from < to) {
        System.arraycopy(
            older.cells(),
            (y - its.row) * its.width + from - its.column,
            cells,
            (y - row) * width + from - column,
            to - from);
      }
    }
    return cells;
  }
}
