package org.cartostream.slam.map.server;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * A {@link ServerMap} in compressed form, for sending and storing: its cells are deflated.
 * Immutable. A map that is too large or invalid is refused before memory is allocated for its
 * cells.
 *
 * @param resolution metres per cell
 * @param origin as {@link ServerMap#origin}
 * @param occupiedFrom as {@link ServerMap#occupiedFrom}
 * @param freeUpTo as {@link ServerMap#freeUpTo}
 * @param deflated the cells, row by row from below, in zlib's format (RFC 1950). The array is not
 *     copied: nobody may write to it
 */
public record PackedMap(
    int width,
    int height,
    double resolution,
    Pose origin,
    int occupiedFrom,
    int freeUpTo,
    byte[] deflated) {

  /**
   * Maximum compression factor of deflate (zlib's technical notes): fewer bytes cannot hold the
   * cells.
   */
  private static final long MAX_SHRINK = 1032;

  public PackedMap {
    MapImage.requireSize("a known map", width, height);
    if (!(resolution >= MapDescription.MIN_RESOLUTION
        && resolution <= MapDescription.GREATEST_RESOLUTION)) {
      throw new IllegalArgumentException(
          "a known map of %s m per cell; %s to %s are taken"
              .formatted(
                  resolution, MapDescription.MIN_RESOLUTION, MapDescription.GREATEST_RESOLUTION));
    }
    if (!origin.isFinite()) {
      throw new IllegalArgumentException("a known map at " + origin + "; it must be finite");
    }
    if ((long) width * height > MAX_SHRINK * deflated.length) {
      throw new IllegalArgumentException(
          deflated.length + " bytes cannot inflate to " + width + " x " + height + " cells");
    }
  }

  public static PackedMap of(ServerMap map) {
    OccupancyGrid grid = map.grid();
    return new PackedMap(
        grid.width(),
        grid.height(),
        grid.resolution(),
        map.origin(),
        map.occupiedFrom(),
        map.freeUpTo(),
        deflate(grid.cells()));
  }

  private static byte[] deflate(byte[] cells) {
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(cells);
      deflater.finish();
      byte[] bytes = new byte[Math.max(64, cells.length / 64)];
      int length = 0;
      while (!deflater.finished()) {
        bytes = length == bytes.length ? Arrays.copyOf(bytes, 2 * length) : bytes;
        length += deflater.deflate(bytes, length, bytes.length - length);
      }
      return Arrays.copyOf(bytes, length);
    } finally {
      deflater.end();
    }
  }

  /** Number of cells. */
  public long cells() {
    return (long) width * height;
  }

  /**
   * Checks that the map can be used.
   *
   * @param maxCells maximum number of cells
   * @throws IllegalArgumentException if the map has more cells
   */
  public void requireAtMost(int maxCells) {
    requireAtMost(maxCells, "localisation.maxMapCells");
  }

  /**
   * Checks that the map can be used.
   *
   * @param setting name of the setting with the maximum, for the message
   */
  public void requireAtMost(int maxCells, String setting) {
    if (cells() > maxCells) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the known map has %d x %d cells, %d in all, and at most %d are taken"
                  + " (%s): a map of %s m per cell would do",
              width,
              height,
              cells(),
              maxCells,
              setting,
              coarser(maxCells)));
    }
  }

  /**
   * Returns the cell size at which the map would have at most {@code maxCells}, rounded up to a
   * centimetre; metres.
   */
  private double coarser(int maxCells) {
    double metres = resolution * StrictMath.sqrt((double) cells() / maxCells);
    return StrictMath.ceil(100 * metres) / 100;
  }

  /**
   * Returns the map with its cells inflated.
   *
   * @throws IllegalArgumentException if the bytes do not inflate to the map's cells, or no cell is
   *     free
   */
  public ServerMap unpack() {
    byte[] cells = new byte[width * height];
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(deflated);
      int filled = 0;
      while (filled < cells.length) {
        int more = inflater.inflate(cells, filled, cells.length - filled);
        if (more == 0) {
          throw garbled("they end " + (cells.length - filled) + " cells too early");
        }
        filled += more;
      }
      if (!inflater.finished() && inflater.inflate(new byte[1]) > 0) {
        throw garbled("they hold more");
      }
    } catch (DataFormatException e) {
      throw garbled(e.getMessage());
    } finally {
      inflater.end();
    }
    OccupancyGrid grid =
        new OccupancyGrid(width, height, resolution, origin.x(), origin.y(), cells);
    ServerMap map = new ServerMap(grid, origin, occupiedFrom, freeUpTo);
    if (!map.hasFreeCell()) {
      throw new IllegalArgumentException("no cell of the known map is free: a robot is nowhere");
    }
    return map;
  }

  private IllegalArgumentException garbled(String how) {
    return new IllegalArgumentException(
        "the bytes of a known map of " + width + " x " + height + " cells: " + how);
  }

  /**
   * Returns the SHA-256 digest of the whole map, in hexadecimal digits: equal digests mean equal
   * maps.
   */
  public String digest() {
    ByteBuffer head = ByteBuffer.allocate(4 * Integer.BYTES + 4 * Double.BYTES);
    head.putInt(width).putInt(height).putInt(occupiedFrom).putInt(freeUpTo);
    head.putDouble(resolution).putDouble(origin.x()).putDouble(origin.y());
    head.putDouble(origin.theta());
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(head.array());
      return HexFormat.of().formatHex(sha.digest(deflated));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
