package org.cartostream.slam.map;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** A set of cells by column and row, in tiles of bits. Owns the tile that was used last. */
final class CellSet {

  /** Callback for each cell of a set. */
  interface Cells {
    void cell(int x, int y);
  }

  private final Map<Long, BitSet> tiles = new HashMap<>();
  private long lastTile;
  private BitSet last;

  void add(int x, int y) {
    tile(x, y).set(at(x, y));
  }

  boolean has(int x, int y) {
    return tile(x, y).get(at(x, y));
  }

  private BitSet tile(int x, int y) {
    long tile = (long) (x >> Tile.BITS) << Integer.SIZE | (y >> Tile.BITS) & 0xffff_ffffL;
    if (last == null || tile != lastTile) {
      last = tiles.computeIfAbsent(tile, any -> new BitSet(Tile.SIDE * Tile.SIDE));
      lastTile = tile;
    }
    return last;
  }

  private static int at(int x, int y) {
    return (y & Tile.MASK) << Tile.BITS | x & Tile.MASK;
  }

  void forEach(Cells cells) {
    tiles.forEach(
        (tile, bits) ->
            bits.stream()
                .forEach(
                    at ->
                        cells.cell(
                            ((int) (tile >> Integer.SIZE) << Tile.BITS) + (at & Tile.MASK),
                            (tile.intValue() << Tile.BITS) + (at >> Tile.BITS))));
  }
}
