package org.cartostream.web.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.InflaterInputStream;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class MapTilesFrameTest {

  private static final double RESOLUTION = 0.05;

  /** Reads frames by their description, cell by cell. */
  private static final class Reader {

    private final Map<Long, Byte> cells = new HashMap<>();
    private int tiles;

    static long key(int column, int row) {
      return ((long) column << 32) + row;
    }

    void take(byte[] frame) throws IOException {
      DataInputStream head = new DataInputStream(new ByteArrayInputStream(frame));
      assertThat(head.readByte()).isEqualTo((byte) 1);
      if (head.readByte() == 1) {
        cells.clear();
      }
      assertThat(head.readDouble()).isEqualTo(RESOLUTION);
      head.skipBytes(16);
      tiles = head.readInt();
      DataInputStream body = new DataInputStream(new InflaterInputStream(head));
      for (int i = 0; i < tiles; i++) {
        int x = body.readInt() * 16;
        int y = body.readInt() * 16;
        for (int at = 0; at < 256; at++) {
          byte difference = body.readByte();
          cells.merge(
              key(x + at % 16, y + at / 16),
              (byte) (difference - 1),
              (before, none) -> (byte) (before + difference));
        }
      }
      assertThat(body.read()).isEqualTo(-1);
    }

    private void assertShows(OccupancyGrid grid, int column, int row) {
      for (int y = 0; y < grid.height(); y++) {
        for (int x = 0; x < grid.width(); x++) {
          byte shown = cells.getOrDefault(key(column + x, row + y), OccupancyGrid.UNKNOWN);
          assertThat(shown).as("cell %d, %d", x, y).isEqualTo(grid.at(x, y));
        }
      }
      long known = cells.values().stream().filter(each -> each != OccupancyGrid.UNKNOWN).count();
      long inGrid = 0;
      for (byte each : grid.cells()) {
        inGrid += each == OccupancyGrid.UNKNOWN ? 0 : 1;
      }
      assertThat(known).as("nothing is known outside of the map").isEqualTo(inGrid);
    }
  }

  private static OccupancyGrid grid(int column, int row, int width, int height, byte[] cells) {
    return new OccupancyGrid(
        width, height, RESOLUTION, column * RESOLUTION, row * RESOLUTION, cells);
  }

  @Test
  void whoeverTakesAllFramesHasTheMapWhereverItGrowsAndShrinks() throws IOException {
    long seed = 37;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Reader reader = new Reader();
    OccupancyGrid before = null;
    for (int step = 0; step < 60; step++) {
      int column = random.nextInt(-40, 20);
      int row = random.nextInt(-40, 20);
      int width = random.nextInt(1, 70);
      int height = random.nextInt(1, 70);
      byte[] cells = new byte[width * height];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = new byte[] {-1, 0, 100, 50}[random.nextInt(4)];
      }
      OccupancyGrid now = grid(column, row, width, height, cells);
      reader.take(MapTilesFrame.between(before, now));
      reader.assertShows(now, column, row);
      byte[] changed = cells.clone(); // Of the same bounds, and for the most part the same.
      for (int i = random.nextInt(4); i > 0; i--) {
        changed[random.nextInt(cells.length)] = 100;
      }
      before = grid(column, row, width, height, changed);
      reader.take(MapTilesFrame.between(now, before));
      reader.assertShows(before, column, row);
    }
  }

  @Test
  void onlyTilesThatChangeAreSent() throws IOException {
    byte[] cells = new byte[160 * 160];
    OccupancyGrid before = grid(0, 0, 160, 160, cells);
    Reader reader = new Reader();
    reader.take(MapTilesFrame.between(null, before));
    assertThat(reader.tiles).isEqualTo(100);
    byte[] changed = cells.clone();
    changed[20 * 160 + 20] = 100;
    changed[21 * 160 + 20] = 100;
    reader.take(MapTilesFrame.between(before, grid(0, 0, 160, 160, changed)));
    assertThat(reader.tiles).isEqualTo(1);
    reader.assertShows(grid(0, 0, 160, 160, changed), 0, 0);
  }
}
