package org.cartostream.broker.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.tile.MapTiles;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class MapHistoryTest {

  private static final int SIDE = MapTiles.SIDE;

  private static OccupancyGrid grid(int column, int row, int width, int height, byte fill) {
    byte[] cells = new byte[width * height];
    Arrays.fill(cells, fill);
    return new OccupancyGrid(width, height, 0.05, column * 0.05, row * 0.05, cells);
  }

  private static OccupancyGrid with(OccupancyGrid grid, int x, int y, int value) {
    byte[] cells = grid.cells().clone();
    cells[y * grid.width() + x] = (byte) value;
    return new OccupancyGrid(
        grid.width(), grid.height(), grid.resolution(), grid.originX(), grid.originY(), cells);
  }

  /** Not by a recursive comparison, which walks an array cell by cell. */
  private static void assertSameGrid(String of, OccupancyGrid actual, OccupancyGrid expected) {
    assertThat(shape(actual)).as(of).isEqualTo(shape(expected));
    assertThat(Arrays.equals(actual.cells(), expected.cells())).as("cells " + of).isTrue();
  }

  private static List<Number> shape(OccupancyGrid grid) {
    return List.of(grid.width(), grid.height(), grid.resolution(), grid.originX(), grid.originY());
  }

  @Test
  void sendsAWholeMapToARobotThatHasNone() {
    OccupancyGrid grid = with(grid(-5, 7, 100, 50, (byte) 0), 3, 4, 100);
    MapHistory history = new MapHistory();
    history.update(grid, 9, 0);
    MapMessage message = history.since(0);
    assertThat(message.isWhole()).isTrue();
    assertThat(message.last()).isFalse();
    assertSameGrid("", message.grid(), grid);
  }

  /** Noise does not deflate: one tile of 8 x 8 cells is 64 bytes, the map 10,000. */
  @Test
  void sendsOnlyTheTileThatChanged() {
    byte[] noise = new byte[100 * 100];
    new Random(3).nextBytes(noise);
    OccupancyGrid first = new OccupancyGrid(100, 100, 0.05, 0, 0, noise);
    OccupancyGrid second = with(first, 50, 50, first.at(50, 50) + 1);
    MapHistory history = new MapHistory();
    history.update(first, 1, 0);
    assertThat(history.since(0).deflated().length).isGreaterThan(9000);
    history.update(second, 2, 0);
    MapMessage message = history.since(1);
    assertThat(message.deflated().length).isBetween(SIDE * SIDE, 4 * SIDE * SIDE);
    assertSameGrid("", message.applyTo(first), second);
  }

  /** Besides the map, which may fill most of the memory. */
  @Test
  void needsLessMemoryThanACopyOfTheMap() {
    OccupancyGrid first = grid(-5, 7, 2000, 3000, (byte) 0);
    OccupancyGrid second = with(first, 50, 50, 100);
    MapHistory history = new MapHistory();
    history.update(first, 1, 0);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    history.update(second, 2, 0);
    history.since(0);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(allocated).isLessThan(second.cells().length);
  }

  @Test
  void sendsAWholeMapToARobotWhoseVersionItDoesNotKnow() {
    MapHistory history = new MapHistory();
    history.update(grid(0, 0, 20, 20, (byte) 0), 10, 0);
    assertThat(history.since(9).isWhole()).isTrue();
    assertThat(history.since(11).isWhole()).isTrue();
    assertThat(history.since(10).isWhole()).isFalse();
  }

  /** The best particle's map ends elsewhere now, and then where it ended before. */
  @Test
  void takesBackWhatANarrowerMapHasForgotten() {
    OccupancyGrid wide = with(grid(0, 0, 24, 8, (byte) 0), 20, 4, 100);
    OccupancyGrid narrow = grid(0, 0, 18, 8, (byte) 0);
    OccupancyGrid wideAgain = grid(0, 0, 24, 8, OccupancyGrid.UNKNOWN);
    for (int x = 0; x < 18; x++) {
      wideAgain = with(wideAgain, x, 4, 0);
    }
    wideAgain = with(wideAgain, 23, 7, 0);
    MapHistory history = new MapHistory();
    history.update(wide, 1, 0);
    history.update(narrow, 2, 0);
    history.update(wideAgain, 3, 0);
    assertSameGrid("", history.since(1).applyTo(wide), wideAgain);
  }

  /** Maps grow, shrink and change at random, and two of three messages are lost. */
  @Property(tries = 200)
  void whateverIsLostTheRobotsMapIsTheServicesInTheEnd(@ForAll long seed) {
    Random random = new Random(seed);
    MapHistory history = new MapHistory();
    OccupancyGrid held = null;
    long heldVersion = 0;
    for (long version = 1; version <= 30; version++) {
      OccupancyGrid grid = random(random);
      history.update(grid, version, 0);
      MapMessage message = history.since(heldVersion);
      if (random.nextInt(3) == 0) {
        held = message.isWhole() ? message.grid() : message.applyTo(held);
        heldVersion = version;
        assertSameGrid("seed " + seed, held, grid);
      }
    }
  }

  private static OccupancyGrid random(Random random) {
    int column = random.nextInt(5) - 20;
    int row = random.nextInt(5) + 3;
    OccupancyGrid grid =
        grid(column, row, 30 + random.nextInt(20), 30 + random.nextInt(20), (byte) 0);
    for (int i = random.nextInt(4); i > 0; i--) {
      int x = random.nextInt(grid.width());
      int y = random.nextInt(grid.height());
      grid = with(grid, x, y, random.nextInt(102) - 1);
    }
    return grid;
  }

  @Test
  void saysWhichCorrectionTheNewestMapShows() {
    OccupancyGrid one = grid(0, 0, 40, 40, (byte) 0);
    MapHistory history = new MapHistory();
    history.update(one, 1, 0);
    assertThat(history.since(0).correction()).isZero();
    history.update(with(one, 3, 3, 100), 2, 4);
    assertThat(history.since(1).correction()).isEqualTo(4);
  }

  /** Tiles come whole, so they fit whatever the robot has got meanwhile. */
  @Test
  void tilesForAnOlderMapFitANewerOne() {
    OccupancyGrid one = grid(0, 0, 40, 40, (byte) 0);
    OccupancyGrid two = with(one, 3, 3, 100);
    OccupancyGrid three = with(two, 30, 30, 100);
    MapHistory history = new MapHistory();
    history.update(one, 1, 0);
    history.update(two, 2, 0);
    history.update(three, 3, 0);
    MapMessage sinceOne = history.since(1);
    assertSameGrid("", sinceOne.applyTo(two), three);
  }

  @Test
  void tilesAloneAreNoMap() {
    MapHistory history = new MapHistory();
    history.update(grid(0, 0, 40, 40, (byte) 0), 1, 0);
    assertThatThrownBy(() -> history.since(1).grid())
        .isInstanceOf(RefusedMessageException.class)
        .hasMessageContaining("version 1");
  }

  @Test
  void refusesTilesThatTheMapDoesNotHave() {
    MapMessage four = MapMessage.of(grid(0, 0, 2 * SIDE, 2 * SIDE, (byte) 0), 0);
    MapMessage one = new MapMessage(false, 0, 0, SIDE, SIDE, 0.05, 0, 0, four.deflated());
    assertThatThrownBy(one::grid)
        .isInstanceOf(RefusedMessageException.class)
        .hasMessageContaining("tile 4 of 1");
  }
}
