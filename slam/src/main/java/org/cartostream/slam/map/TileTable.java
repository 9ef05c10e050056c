package org.cartostream.slam.map;

import java.util.Set;

/**
 * Tiles of an endless plane, as a persistent table: {@link #fork} costs nothing, and what both
 * sides do not write to afterwards stays shared.
 *
 * <p>Two levels: blocks of 16 × 16 tiles, and a root of blocks that grows in any direction. A node
 * names the table that may write to it by its token; a fork gives both sides new tokens, so that
 * each copies a node before its first write.
 */
final class TileTable {

  static final int BLOCK_BITS = 4;
  private static final int BLOCK_SIDE = 1 << BLOCK_BITS;
  private static final int BLOCK_MASK = BLOCK_SIDE - 1;

  /** Bytes of a reference in a heap below 32 GB. */
  private static final int REFERENCE_BYTES = 4;

  /**
   * Maximum number of blocks in the root's rectangle, written to or not: 50 km x 50 km in cells of
   * 5 cm, for which the root alone takes 32 MB.
   */
  private static final long MAX_BLOCKS = 1 << 22;

  private Object token = new Object();
  private Object rootOwner = token;

  /** Column and row of the root's first block, and the root's width and height in blocks. */
  private int column0;

  private int row0;
  private int columns;
  private int rows;

  /** Blocks, row by row; null where a block has no tile. */
  private Tile[][] blocks;

  private Object[] blockOwners;

  TileTable() {
    blocks = new Tile[0][];
    blockOwners = new Object[0];
  }

  private TileTable(TileTable from) {
    column0 = from.column0;
    row0 = from.row0;
    columns = from.columns;
    rows = from.rows;
    blocks = from.blocks;
    blockOwners = from.blockOwners;
    rootOwner = from.rootOwner;
  }

  /** A table with the same tiles. */
  TileTable fork() {
    TileTable fork = new TileTable(this);
    token = new Object();
    return fork;
  }

  /** The tile at (x, y), or null. */
  Tile get(int x, int y) {
    int column = (x >> BLOCK_BITS) - column0;
    int row = (y >> BLOCK_BITS) - row0;
    if (column < 0 || column >= columns || row < 0 || row >= rows) {
      return null;
    }
    Tile[] block = blocks[row * columns + column];
    return block == null ? null : block[(y & BLOCK_MASK) << BLOCK_BITS | (x & BLOCK_MASK)];
  }

  /**
   * Returns the tile at (x, y) for writing: created if it is missing, copied if it is shared.
   *
   * @throws IllegalArgumentException if the tile lies so far out that the table would be too large
   */
  Tile own(int x, int y) {
    Tile[] block = ownBlock(x >> BLOCK_BITS, y >> BLOCK_BITS);
    int at = (y & BLOCK_MASK) << BLOCK_BITS | (x & BLOCK_MASK);
    Tile tile = block[at];
    if (tile == null) {
      tile = new Tile(token);
      block[at] = tile;
    } else if (tile.owner != token) {
      tile = tile.copyFor(token);
      block[at] = tile;
    }
    return tile;
  }

  private Tile[] ownBlock(int blockX, int blockY) {
    cover(blockX, blockY);
    if (rootOwner != token) {
      blocks = blocks.clone();
      blockOwners = blockOwners.clone();
      rootOwner = token;
    }
    int at = (blockY - row0) * columns + blockX - column0;
    if (blocks[at] == null) {
      blocks[at] = new Tile[BLOCK_SIDE * BLOCK_SIDE];
      blockOwners[at] = token;
    } else if (blockOwners[at] != token) {
      blocks[at] = blocks[at].clone();
      blockOwners[at] = token;
    }
    return blocks[at];
  }

  /** Makes the root large enough for a block. */
  private void cover(int blockX, int blockY) {
    if (columns > 0
        && blockX >= column0
        && blockX < column0 + columns
        && blockY >= row0
        && blockY < row0 + rows) {
      return;
    }
    int left = columns == 0 ? blockX : Math.min(column0, blockX);
    int below = rows == 0 ? blockY : Math.min(row0, blockY);
    int newColumns = (columns == 0 ? blockX : Math.max(column0 + columns - 1, blockX)) - left + 1;
    int newRows = (rows == 0 ? blockY : Math.max(row0 + rows - 1, blockY)) - below + 1;
    if ((long) newColumns * newRows > MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "a map of %d x %d blocks of %d cells a side is too large; at most %d blocks can be held"
              .formatted(newColumns, newRows, BLOCK_SIDE * Tile.SIDE, MAX_BLOCKS));
    }
    Tile[][] newBlocks = new Tile[newColumns * newRows][];
    Object[] newOwners = new Object[newBlocks.length];
    for (int row = 0; row < rows; row++) {
      int to = (row + row0 - below) * newColumns + column0 - left;
      System.arraycopy(blocks, row * columns, newBlocks, to, columns);
      System.arraycopy(blockOwners, row * columns, newOwners, to, columns);
    }
    column0 = left;
    row0 = below;
    columns = newColumns;
    rows = newRows;
    blocks = newBlocks;
    blockOwners = newOwners;
    rootOwner = token;
  }

  /**
   * Bytes of memory that the table takes, without objects already counted.
   *
   * @param counted objects counted so far, by identity; those counted now are added
   */
  long bytes(Set<Object> counted) {
    if (!counted.add(blocks)) {
      return 0;
    }
    long bytes = 2L * REFERENCE_BYTES * blocks.length;
    for (Tile[] block : blocks) {
      if (block != null && counted.add(block)) {
        bytes += (long) REFERENCE_BYTES * block.length;
        for (Tile tile : block) {
          bytes += tile != null && counted.add(tile) ? tile.bytes() : 0;
        }
      }
    }
    return bytes;
  }

  /** Callback of {@link #forEach}. */
  interface Visitor {
    void tile(int x, int y, Tile tile);
  }

  /** Visits every tile, by rows of blocks and rows of tiles within a block. */
  void forEach(Visitor visitor) {
    forEach(0, 1, visitor);
  }

  /** Visits the tiles of every {@code step}-th block, from block {@code first} on. */
  void forEach(int first, int step, Visitor visitor) {
    for (int b = first; b < blocks.length; b += step) {
      if (blocks[b] == null) {
        continue;
      }
      int x0 = (column0 + b % columns) << BLOCK_BITS;
      int y0 = (row0 + b / columns) << BLOCK_BITS;
      for (int at = 0; at < blocks[b].length; at++) {
        if (blocks[b][at] != null) {
          visitor.tile(x0 + (at & BLOCK_MASK), y0 + (at >> BLOCK_BITS), blocks[b][at]);
        }
      }
    }
  }
}
