package org.cartostream.slam.map;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A {@link TiledMap}, or what was written to one after a key frame, as bytes: the hits alone,
 * deflated. The receiver derives the rest from the hits.
 *
 * <p>Layout before deflating: per tile with such hits a byte 1, the tile's column and row (int
 * each), the key frame at which it was written last (unsigned varint), 32 rows of bits for the
 * cells that follow (int each), then per such cell hits, sum of x and sum of y offsets as unsigned
 * varints, totals, not only those since the key frame; a byte 0 ends the map.
 *
 * <p>The key frame is that of the tile's latest cell. The receiver takes it for all cells of the
 * tile, so it may later send some of them on without need, but never omits one.
 */
public final class MapCodec {

  /**
   * Number before all key frames, which stands for the whole map: all cells were written after it.
   */
  public static final int EVER = -1;

  /**
   * Approximate size of a cell's three numbers, deflated, bytes: 4.8 in maps of 18,000 cells
   * (aces).
   */
  private static final int BYTES_PER_CELL = 5;

  /** Number of tiles from the origin at which a position in map units no longer fits in an int. */
  private static final int MAX_TILES = 1 << Integer.SIZE - 1 - Tile.BITS - TiledMap.UNIT_BITS;

  /** Maximum number of hits in a cell: the bound of {@link Tile}, and those of one scan more. */
  private static final int MAX_HITS = 1 << 20;

  private MapCodec() {}

  /** Returns roughly the size of a whole map's encoding, bytes, without encoding it. */
  public static long estimatedBytes(TiledMap map) {
    return (long) BYTES_PER_CELL * map.occupiedCells();
  }

  /** Returns roughly the size of {@link #encode}'s result, bytes, without encoding. */
  public static long estimatedBytes(TiledMap map, int after) {
    return (long) BYTES_PER_CELL * map.cellsWrittenAfter(after);
  }

  /**
   * Encodes the cells that were written after a key frame.
   *
   * @param after the key frame; {@link #EVER} for the whole map
   */
  public static byte[] encode(TiledMap map, int after) {
    return DeflatedData.of(
        out -> {
          map.tiles()
              .forEach(
                  (x, y, tile) -> {
                    try {
                      write(out, x, y, tile, after);
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  });
          out.writeByte(0);
        });
  }

  private static void write(DataOutputStream out, int x, int y, Tile tile, int after)
      throws IOException {
    if (tile.occupied == 0 || tile.written <= after) {
      return;
    }
    out.writeByte(1);
    out.writeInt(x);
    out.writeInt(y);
    writeVarint(out, tile.written);
    int[] rows = tile.rowsWrittenAfter(after);
    for (int row : rows) {
      out.writeInt(row);
    }
    int record = 0;
    for (int inY = 0; inY < Tile.SIDE; inY++) {
      for (int bits = tile.rows[inY]; bits != 0; bits &= bits - 1) {
        if ((rows[inY] & Integer.lowestOneBit(bits)) != 0) {
          for (int i = 0; i < Tile.SENT; i++) {
            writeVarint(out, tile.cells[record * Tile.RECORD + i]);
          }
        }
        record++;
      }
    }
  }

  /**
   * @throws IllegalArgumentException if the bytes are no map
   */
  public static TiledMap decode(byte[] bytes) {
    TiledMap map = new TiledMap();
    update(map, bytes);
    return map;
  }

  /**
   * Brings a map up to date with a later state of itself.
   *
   * @param bytes the cells written since the key frame at which both were the same
   * @throws IllegalArgumentException if the bytes are no map, or do not go on from {@code map}; it
   *     is then partly updated, and must be discarded
   */
  public static void update(TiledMap map, byte[] bytes) {
    try (DataInputStream in = DeflatedData.read(bytes)) {
      byte mark;
      while ((mark = in.readByte()) == 1) {
        read(in, map);
      }
      // The byte behind the end is read, too: only then the checksum is compared.
      if (mark != 0 || in.read() >= 0) {
        throw new IOException("it goes on behind its last tile");
      }
    } catch (EOFException e) {
      throw new IllegalArgumentException("a map of " + bytes.length + " bytes is cut off", e);
    } catch (IOException e) {
      throw new IllegalArgumentException("no map: " + e.getMessage(), e);
    }
  }

  private static void read(DataInputStream in, TiledMap map) throws IOException {
    int column = in.readInt();
    int row = in.readInt();
    if (isOutside(column) || isOutside(row)) {
      throw new IOException("a tile at (" + column + ", " + row + ")");
    }
    int x0 = column << Tile.BITS;
    int y0 = row << Tile.BITS;
    int written = readVarint(in);
    if (written < 0) {
      throw new IOException("a tile written at key frame " + written);
    }
    map.setKeyFrame(written);
    int[] rows = new int[Tile.SIDE];
    for (int y = 0; y < Tile.SIDE; y++) {
      rows[y] = in.readInt();
    }
    for (int y = 0; y < Tile.SIDE; y++) {
      for (int bits = rows[y]; bits != 0; bits &= bits - 1) {
        int x = Integer.numberOfTrailingZeros(bits);
        int hits = readVarint(in);
        int sumX = readVarint(in);
        int sumY = readVarint(in);
        if (hits < 1
            || hits > MAX_HITS
            || sumX < 0
            || sumY < 0
            || Math.max(sumX, sumY) / hits >= TiledMap.UNITS) {
          throw new IOException("cell of " + hits + " hits with sums " + sumX + ", " + sumY);
        }
        map.raise(x0 + x, y0 + y, hits, sumX, sumY);
      }
    }
  }

  private static boolean isOutside(int tile) {
    return tile < -MAX_TILES || tile >= MAX_TILES;
  }

  private static void writeVarint(DataOutputStream out, int value) throws IOException {
    int rest = value;
    while (rest > 0x7f) {
      out.writeByte(rest | 0x80);
      rest >>>= 7;
    }
    out.writeByte(rest);
  }

  private static int readVarint(DataInputStream in) throws IOException {
    int value = 0;
    for (int shift = 0; shift < 32; shift += 7) {
      byte next = in.readByte();
      value |= (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IOException("a number of more than 32 bits");
  }
}
