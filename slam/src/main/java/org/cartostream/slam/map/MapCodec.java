package org.cartostream.slam.map;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * A {@link TiledMap} as bytes: the hits alone, deflated. What is derived from them is derived again
 * on the other side.
 *
 * <p>Layout before deflating: per tile with hits a byte 1, the tile's column and row (int each), 32
 * rows of bits (int each), then per occupied cell hits, sum of x and sum of y offsets as unsigned
 * varints; a byte 0 ends the map.
 */
public final class MapCodec {

  /** A guess: three small numbers, deflated. Only ratios between maps matter to who uses it. */
  private static final int BYTES_PER_CELL = 4;

  private MapCodec() {}

  /** Roughly how long {@link #encode}'s answer would be, without encoding. */
  public static long estimatedBytes(TiledMap map) {
    return (long) BYTES_PER_CELL * map.occupiedCells();
  }

  public static byte[] encode(TiledMap map) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes, deflater))) {
      map.tiles()
          .forEach(
              (x, y, tile) -> {
                try {
                  write(out, x, y, tile);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      out.writeByte(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, int x, int y, Tile tile) throws IOException {
    if (tile.occupied == 0) {
      return;
    }
    out.writeByte(1);
    out.writeInt(x);
    out.writeInt(y);
    for (int row : tile.rows) {
      out.writeInt(row);
    }
    for (int record = 0; record < tile.occupied; record++) {
      for (int i = 0; i < Tile.SENT; i++) {
        writeVarint(out, tile.cells[record * Tile.RECORD + i]);
      }
    }
  }

  /**
   * @throws IllegalArgumentException if the bytes are no map
   */
  public static TiledMap decode(byte[] bytes) {
    TiledMap map = new TiledMap();
    try (DataInputStream in =
        new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes)))) {
      while (in.readByte() == 1) {
        read(in, map);
      }
    } catch (EOFException e) {
      throw new IllegalArgumentException("a map of " + bytes.length + " bytes is cut off", e);
    } catch (IOException e) {
      throw new IllegalArgumentException("no map: " + e.getMessage(), e);
    }
    return map;
  }

  private static void read(DataInputStream in, TiledMap map) throws IOException {
    int x0 = in.readInt() << Tile.BITS;
    int y0 = in.readInt() << Tile.BITS;
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
        if (hits < 1 || sumX < 0 || sumY < 0 || Math.max(sumX, sumY) / hits >= TiledMap.UNITS) {
          throw new IOException("cell of " + hits + " hits with sums " + sumX + ", " + sumY);
        }
        map.add(x0 + x, y0 + y, hits, sumX, sumY);
      }
    }
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
