package org.cartostream.web.state;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * Tiles of a map that differ from those of an older map, encoded for the page. All numbers are
 * big-endian:
 *
 * <pre>
 * byte    1: tiles of a map
 * byte    1 if the page has to forget the tiles that it holds, else 0
 * double  metres per cell
 * int     column and row of the map's lower left cell, from the map frame's origin;
 *         its width and height; all in cells
 * int     number of tiles
 * then in zlib's format (RFC 1950), for each tile:
 * int     column and row of the tile, in tiles from the map frame's origin
 * 256     what is to be added to the tile's cells, modulo 256, row by row from below
 * </pre>
 *
 * <p>A cell is -1 where nothing is known, as all cells are at first; else its occupancy in percent.
 * Differences are sent because most of them are 0, which compresses well: few cells of a tile
 * change at a time.
 */
public final class MapTilesFrame {

  /** Cells along a tile's edge. */
  static final int SIDE = 16;

  private static final int KIND = 1;

  private MapTilesFrame() {}

  /**
   * Place of a map on the lattice of cells; a map without cells stands for no map.
   *
   * @param column column of the map's lower left cell, from the frame's origin
   * @param row row of that cell
   */
  private record Place(OccupancyGrid grid, int column, int row) {

    static Place of(OccupancyGrid grid) {
      return grid == null
          ? new Place(new OccupancyGrid(0, 0, 1, 0, 0, new byte[0]), 0, 0)
          : new Place(grid, cells(grid.originX(), grid), cells(grid.originY(), grid));
    }

    private static int cells(double metres, OccupancyGrid grid) {
      return Math.toIntExact(Math.round(metres / grid.resolution()));
    }

    boolean isEmpty() {
      return grid.cells().length == 0;
    }

    int right() {
      return column + grid.width();
    }

    int top() {
      return row + grid.height();
    }

    private boolean covers(Place other) {
      return column == other.column
          && row == other.row
          && grid.width() == other.grid.width()
          && grid.height() == other.grid.height();
    }

    /**
     * Returns true if two maps have the same bounds and the same cells in a row of tiles. Most rows
     * of a large map are the same, and comparing a row at once takes a tenth of the time.
     */
    boolean isSameRow(Place other, int tileY) {
      int from = Math.max(0, tileY * SIDE - row) * grid.width();
      int to = Math.min(grid.height(), (tileY + 1) * SIDE - row) * grid.width();
      return covers(other) && Arrays.equals(grid.cells(), from, to, other.grid.cells(), from, to);
    }

    /** Copies the cells of a tile; cells outside of the map are unknown. */
    void read(int tileX, int tileY, byte[] tile) {
      Arrays.fill(tile, OccupancyGrid.UNKNOWN);
      int from = Math.max(column, tileX * SIDE);
      int to = Math.min(right(), (tileX + 1) * SIDE);
      int end = Math.min(top(), (tileY + 1) * SIDE);
      for (int y = Math.max(row, tileY * SIDE); y < end && from < to; y++) {
        System.arraycopy(
            grid.cells(),
            (y - row) * grid.width() + from - column,
            tile,
            (y - tileY * SIDE) * SIDE + from - tileX * SIDE,
            to - from);
      }
    }
  }

  /**
   * Returns the frame that leads from one map to another.
   *
   * @param before the map that the page shows; null if it shows none
   * @param after the map that the page is to show
   */
  public static byte[] between(OccupancyGrid before, OccupancyGrid after) {
    boolean anew = before == null || before.resolution() != after.resolution();
    Place old = Place.of(anew ? null : before);
    Place now = Place.of(after);
    ByteArrayOutputStream deflated = new ByteArrayOutputStream();
    int count = writeTiles(old, now, deflated);
    ByteArrayOutputStream frame = new ByteArrayOutputStream(deflated.size() + 32);
    try (DataOutputStream out = new DataOutputStream(frame)) {
      out.writeByte(KIND);
      out.writeByte(anew ? 1 : 0);
      out.writeDouble(after.resolution());
      out.writeInt(now.column);
      out.writeInt(now.row);
      out.writeInt(after.width());
      out.writeInt(after.height());
      out.writeInt(count);
      deflated.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Nothing is written but memory.
    }
    return frame.toByteArray();
  }

  /** Writes the tiles that differ between two maps; returns their number. */
  private static int writeTiles(Place old, Place now, ByteArrayOutputStream deflated) {
    int left = old.isEmpty() ? now.column : Math.min(old.column, now.column);
    int below = old.isEmpty() ? now.row : Math.min(old.row, now.row);
    int right = old.isEmpty() ? now.right() : Math.max(old.right(), now.right());
    int top = old.isEmpty() ? now.top() : Math.max(old.top(), now.top());
    byte[] was = new byte[SIDE * SIDE];
    byte[] is = new byte[SIDE * SIDE];
    int count = 0;
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (DataOutputStream out =
        new DataOutputStream(new DeflaterOutputStream(deflated, deflater, 1 << 13))) {
      for (int y = Math.floorDiv(below, SIDE); y * SIDE < top; y++) {
        if (now.isSameRow(old, y)) {
          continue;
        }
        for (int x = Math.floorDiv(left, SIDE); x * SIDE < right; x++) {
          old.read(x, y, was);
          now.read(x, y, is);
          if (!Arrays.equals(was, is)) {
            for (int i = 0; i < is.length; i++) {
              is[i] -= was[i];
            }
            out.writeInt(x);
            out.writeInt(y);
            out.write(is);
            count++;
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Nothing is written but memory.
    } finally {
      deflater.end();
    }
    return count;
  }
}
