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
 * The map along the particles' mean path, at the end the best one's, or those of its tiles that the
 * robot lacks; service to robot. Its version is the number in its envelope, that of the last
 * reading in it.
 *
 * <p>A robot sends with each reading the version that it holds; so what is lost on the way comes
 * again with the next map, and a robot that holds none gets a whole one. Tiles come whole, so that
 * they also fit a newer map than the one they were chosen for.
 *
 * <p>A map of 10,000 x 10,000 cells (500 m square at 0.05 m) deflates to a few megabytes; what does
 * not fit the limit of a message ({@code broker.maxMessageBytes}) is refused by the codec.
 *
 * @param last true for the map at the end of a run, which is never dropped; else a newer one
 *     replaces it
 * @param base the version since which all that has changed is here; 0 if all of the map is here
 * @param correction number of the newest {@link org.cartostream.slam.trajectory.Correction} that it
 *     shows; 0 for none. That of the poses may be newer for a while. Of no meaning if it is the
 *     last (0), which shows the path with all loops closed
 * @param width cells along x
 * @param height cells along y
 * @param resolution metres per cell
 * @param column where the lower left corner of cell (0, 0) lies in the {@code map} frame, in cells
 *     from its origin along x
 * @param row likewise along y
 * @param deflated a bit for each tile of {@link MapTiles} (set if it is here; the lowest bit of a
 *     byte first), then the cells of each that is, row by row from below as far as they lie in the
 *     map; all in zlib's format (RFC 1950). The array is not copied: nobody may write to it
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

  /** Most cells of a map: 16,384 x 16,384, a quarter of a gigabyte when inflated. */
  public static final long MAX_CELLS = 1L << 28;

  /** Bound on the bytes of a message that are not the map's cells. */
  private static final int MAX_BESIDE = 1024;

  /** Deflate cannot shrink by more (zlib's technical notes), so fewer bytes cannot hold a map. */
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
   * @throws IllegalArgumentException if it is none
   */
  static void checkVersion(long version) {
    if (version < 0) {
      throw new IllegalArgumentException("a map of version " + version + "; the first is 1");
    }
  }

  /** The message that carries the whole of {@code grid}, as it is on the way. */
  public static MapMessage of(OccupancyGrid grid, int correction) {
    return whole(grid, correction, false);
  }

  /**
   * A robot's whole map on the way, now and then, for observers who came late; no robot gets it.
   *
   * @param map whole
   */
  public record ForObservers(MapMessage map) implements Message {
    public ForObservers {
      Objects.requireNonNull(map, "map");
    }
  }

  /** The message that carries the map at the end of a run. */
  public static MapMessage ofEnd(OccupancyGrid grid) {
    return whole(grid, 0, true);
  }

  private static MapMessage whole(OccupancyGrid grid, int correction, boolean last) {
    BitSet all = new BitSet();
    all.set(0, MapTiles.of(grid).count());
    return of(grid, 0, correction, all, last);
  }

  /** The message that carries some tiles of {@code grid}. */
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

  /** Row by row: a map may be too large for a copy of its cells. */
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

  /** True if it can be read without an older map. */
  public boolean isWhole() {
    return base == 0;
  }

  /**
   * The map.
   *
   * @throws RefusedMessageException if it is not whole, or the bytes do not inflate to its cells
   */
  public OccupancyGrid grid() {
    if (!isWhole()) {
      throw BrokerRefusal.BAD_VALUE.exception("tiles for a map of version " + base + " alone");
    }
    return applyTo(new OccupancyGrid(0, 0, resolution, 0, 0, new byte[0]));
  }

  /**
   * The map, given the one that the robot held.
   *
   * @param held of the version {@link #base} or later
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

  /** Bytes of the whole message on its way, at most. */
  public long maxBytes() {
    return (long) deflated.length + MAX_BESIDE;
  }

  private RefusedMessageException garbled(String how) {
    return BrokerRefusal.GARBAGE.exception(
        "the bytes of a map of " + width + " x " + height + " cells: " + how);
  }
}
