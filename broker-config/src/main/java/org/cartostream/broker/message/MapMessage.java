package org.cartostream.broker.message;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.tile.MapTiles;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * Map of a robot, or those of its tiles that the robot lacks; service to robot. It shows the
 * particles' mean path, and at the end the best particle's path. Its version is the number in its
 * envelope, that of the last reading in it.
 *
 * <p>A robot sends with each reading the version that it holds; so tiles that are lost on the way
 * come again with the next map, and a robot that holds no map gets a whole one. Tiles come whole,
 * so that they also fit if the robot has a newer map by then.
 *
 * <p>A map of 10,000 x 10,000 cells (500 m square at 0.05 m) deflates to a few megabytes; a map
 * that exceeds the limit of a message ({@code broker.maxMessageBytes}) is refused by the codec.
 *
 * @param last true for the map at the end of a run, which is never dropped; any other is replaced
 *     by a newer one
 * @param base version of the map since which all changed tiles are contained; 0 if the whole map is
 * @param correction number of the newest {@link org.cartostream.slam.trajectory.Correction} that
 *     the map shows; 0 for none. The correction of the poses may be newer for a while. 0, without a
 *     meaning, for the last map, which shows the path with all loops closed
 * @param width number of cells along x
 * @param height number of cells along y
 * @param resolution metres per cell
 * @param column x of the lower left corner of cell (0, 0) in the {@code map} frame, in cells
 * @param row y of that corner, in cells
 * @param deflated a bit for each tile of {@link MapTiles} (set if the tile is contained; the lowest
 *     bit of a byte first), then the cells of each contained tile, row by row from below as far as
 *     they lie in the map; all in zlib's format (RFC 1950). The array is not copied: nobody may
 *     write to it
 */
public record MapMessage(
    boolean last,
    long base,
    int correction,
    int width,
    int height,
    double resolution,
    int column,
    int row,
    byte[] deflated)
    implements Message {

  /** Maximum number of cells of a map: 16,384 x 16,384, a quarter of a gigabyte when inflated. */
  public static final long MAX_CELLS = 1L << 28;

  /** Maximum size of a message without the map's cells, bytes. */
  private static final int MAX_BESIDE = 1024;

  /**
   * Largest factor by which deflate can shrink data (zlib's technical notes): fewer bytes cannot
   * hold a map.
   */
  private static final long MAX_SHRINK = 1032;

  private static final int BUFFER_BYTES = 1 << 16;

  public MapMessage {
    checkVersion(base);
    if (correction < 0) {
      throw new IllegalArgumentException("a map with correction " + correction + "; 0 is none");
    }
    long cells = (long) width * height;
    if (width < 0 || height < 0 || cells > MAX_CELLS) {
      throw new IllegalArgumentException(
          "a map of " + width + " x " + height + " cells; at most " + MAX_CELLS + " can be sent");
    }
    if (base == 0 && cells > MAX_SHRINK * deflated.length) {
      throw new IllegalArgumentException(
          deflated.length + " bytes cannot inflate to " + width + " x " + height + " cells");
    }
    if (!(resolution > 0 && resolution < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a map of " + resolution + " m per cell; not above 0");
    }
    new MapTiles(column, row, width, height);
  }

  /**
   * Checks the version of a map.
   *
   * @throws IllegalArgumentException if it is negative
   */
  static void checkVersion(long version) {
    if (version < 0) {
      throw new IllegalArgumentException("a map of version " + version + "; the first is 1");
    }
  }

  /** Returns the message with the whole of {@code grid} during a run. */
  public static MapMessage of(OccupancyGrid grid, int correction) {
    return whole(grid, correction, false);
  }

  /**
   * Whole map of a robot during a run, now and then, for observers who came late; no robot gets it.
   *
   * @param map message with a whole map
   */
  public record ForObservers(MapMessage map) implements Message {
    public ForObservers {
      Objects.requireNonNull(map, "map");
    }
  }

  /** Returns the message with the map at the end of a run. */
  public static MapMessage ofEnd(OccupancyGrid grid) {
    return whole(grid, 0, true);
  }

  private static MapMessage whole(OccupancyGrid grid, int correction, boolean last) {
    BitSet all = new BitSet();
    all.set(0, MapTiles.of(grid).count());
    return of(grid, 0, correction, all, last);
  }

  /** Returns the message with some tiles of {@code grid}. */
  public static MapMessage of(
      OccupancyGrid grid, long base, int correction, BitSet chosen, boolean last) {
    MapTiles tiles = MapTiles.of(grid);
    return new MapMessage(
        last,
        base,
        correction,
        grid.width(),
        grid.height(),
        grid.resolution(),
        tiles.column(),
        tiles.row(),
        deflate(grid.cells(), tiles, chosen));
  }

  /** Compresses tiles, row by row, as a map may be too large for a copy of its cells. */
  private static byte[] deflate(byte[] cells, MapTiles tiles, BitSet chosen) {
    ByteArrayOutputStream deflated = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (OutputStream body =
        new BufferedOutputStream(
            new DeflaterOutputStream(deflated, deflater, BUFFER_BYTES), BUFFER_BYTES)) {
      body.write(Arrays.copyOf(chosen.toByteArray(), bitBytes(tiles)));
      MapTiles.Rows write = (from, length) -> write(body, cells, from, length);
      for (int tile = chosen.nextSetBit(0); tile >= 0; tile = chosen.nextSetBit(tile + 1)) {
        tiles.forEachRow(tile, write);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Nothing is written but memory.
    } finally {
      deflater.end();
    }
    return deflated.toByteArray();
  }

  private static void write(OutputStream body, byte[] cells, int from, int length) {
    try {
      body.write(cells, from, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int bitBytes(MapTiles tiles) {
    return (tiles.count() + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** Returns true if the map can be read without an older one. */
  public boolean isWhole() {
    return base == 0;
  }

  /**
   * Returns the map.
   *
   * @throws RefusedMessageException if the message is not whole, or its bytes do not inflate to its
   *     cells
   */
  public OccupancyGrid grid() {
    if (!isWhole()) {
      throw BrokerRefusal.BAD_VALUE.exception("tiles for a map of version " + base + " alone");
    }
    return applyTo(new OccupancyGrid(0, 0, resolution, 0, 0, new byte[0]));
  }

  /**
   * Returns the map that results from the map that the robot held.
   *
   * @param held map of version {@link #base} or later
   * @throws RefusedMessageException if the bytes do not inflate to tiles of the map
   */
  public OccupancyGrid applyTo(OccupancyGrid held) {
    MapTiles tiles = new MapTiles(column, row, width, height);
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(deflated);
      byte[] bits = new byte[bitBytes(tiles)];
      inflate(inflater, bits, 0, bits.length);
      BitSet here = BitSet.valueOf(bits);
      if (here.length() > tiles.count()) {
        throw garbled("they name tile " + here.length() + " of " + tiles.count());
      }
      byte[] cells = tiles.cellsOf(held);
      here.stream()
          .forEach(
              tile ->
                  tiles.forEachRow(tile, (from, length) -> inflate(inflater, cells, from, length)));
      checkEnd(inflater);
      return new OccupancyGrid(
          width, height, resolution, column * resolution, row * resolution, cells);
    } finally {
      inflater.end();
    }
  }

  private void inflate(Inflater inflater, byte[] into, int from, int length) {
    try {
      int filled = 0;
      while (filled < length) {
        int more = inflater.inflate(into, from + filled, length - filled);
        if (more == 0) {
          throw garbled("they end " + (length - filled) + " bytes too early");
        }
        filled += more;
      }
    } catch (DataFormatException e) {
      throw garbled(e.getMessage());
    }
  }

  private void checkEnd(Inflater inflater) {
    try {
      if (!inflater.finished() && inflater.inflate(new byte[1]) > 0) {
        throw garbled("they hold more");
      }
    } catch (DataFormatException e) {
      throw garbled(e.getMessage());
    }
  }

  /** Returns an upper bound of the size of the encoded message, bytes. */
  public long maxBytes() {
    return (long) deflated.length + MAX_BESIDE;
  }

  private RefusedMessageException garbled(String how) {
    return BrokerRefusal.GARBAGE.exception(
        "the bytes of a map of " + width + " x " + height + " cells: " + how);
  }
}
