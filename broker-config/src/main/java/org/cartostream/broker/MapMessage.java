package org.cartostream.broker;

import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * Service to robot: the map along the best particle's path, its cells deflated.
 *
 * <p>A map of 10,000 x 10,000 cells (500 m square at 0.05 m) deflates to a few megabytes; what does
 * not fit the limit of a message ({@link BrokerSettings#maxMessageBytes}) is refused by the codec.
 *
 * @param last true for the map at the end of a run, which is never dropped; else a newer one
 *     replaces it
 * @param width cells along x
 * @param height cells along y
 * @param resolution metres per cell
 * @param originX metres; the lower left corner of cell (0, 0) in the {@code map} frame
 * @param originY metres
 * @param deflated the cells as {@link OccupancyGrid#cells} lays them out, in zlib's format (RFC
 *     1950). The array is not copied: nobody may write to it
 */
public record MapMessage(
    boolean last,
    int width,
    int height,
    double resolution,
    double originX,
    double originY,
    byte[] deflated)
    implements Message {

  /** Most cells of a map: 16,384 x 16,384, a quarter of a gigabyte when inflated. */
  public static final long MOST_CELLS = 1L << 28;

  /** At most so many bytes of a message are not the map's cells. */
  private static final int MOST_BESIDE = 1024;

  /** Deflate cannot shrink by more (zlib's technical notes), so fewer bytes cannot hold a map. */
  private static final long MOST_SHRINK = 1032;

  public MapMessage {
    long cells = (long) width * height;
    if (width < 0 || height < 0 || cells > MOST_CELLS) {
      throw new IllegalArgumentException(
          "a map of " + width + " x " + height + " cells; at most " + MOST_CELLS + " can be sent");
    }
    if (cells > MOST_SHRINK * deflated.length) {
      throw new IllegalArgumentException(
          deflated.length + " bytes cannot inflate to " + width + " x " + height + " cells");
    }
  }

  /** The message that carries {@code grid}. */
  public static MapMessage of(OccupancyGrid grid, boolean last) {
    return new MapMessage(
        last,
        grid.width(),
        grid.height(),
        grid.resolution(),
        grid.originX(),
        grid.originY(),
        deflate(grid.cells()));
  }

  /**
   * The map.
   *
   * @throws RefusedMessageException if the bytes do not inflate to exactly its cells
   */
  public OccupancyGrid grid() {
    return new OccupancyGrid(width, height, resolution, originX, originY, inflate());
  }

  /** Bytes of the whole message on its way, at most. */
  public long mostBytes() {
    return (long) deflated.length + MOST_BESIDE;
  }

  private static byte[] deflate(byte[] cells) {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try {
      deflater.setInput(cells);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream(cells.length / 16 + 64);
      byte[] buffer = new byte[1 << 16];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }

  private byte[] inflate() {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(deflated);
      byte[] cells = new byte[width * height];
      int filled = 0;
      while (filled < cells.length) {
        int more = inflater.inflate(cells, filled, cells.length - filled);
        if (more == 0) {
          throw garbled("they end after " + filled + " cells");
        }
        filled += more;
      }
      if (!inflater.finished() && inflater.inflate(new byte[1]) > 0) {
        throw garbled("they hold more");
      }
      return cells;
    } catch (DataFormatException e) {
      throw garbled(e.getMessage());
    } finally {
      inflater.end();
    }
  }

  private RefusedMessageException garbled(String how) {
    return BrokerRefusal.GARBAGE.exception(
        "the bytes of a map of " + width + " x " + height + " cells: " + how);
  }
}
