package org.cartostream.slam.map.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.testing.Quick;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against trigonometry, cell by cell. */
@Quick
class StartingMapTest {

  private static final double CELL = 0.05;
  private static final int WIDTH = 60;
  private static final int HEIGHT = 40;
  private static final double LEFT = -3.017;
  private static final double LOW = 1.234;

  /** A room with a table of which nobody knows what is inside; a corner of the grid is unknown. */
  private static byte[] room() {
    byte[] cells = new byte[WIDTH * HEIGHT];
    for (int i = 0; i < cells.length; i++) {
      int column = i % WIDTH;
      int row = i / WIDTH;
      boolean isEdge = column == 0 || column == WIDTH - 1 || row == 0 || row == HEIGHT - 1;
      boolean isTable = column >= 20 && column < 30 && row >= 10 && row < 18;
      boolean isInTable = column > 20 && column < 29 && row > 10 && row < 17;
      cells[i] = (byte) (isInTable ? -1 : isEdge || isTable ? 100 : 0);
    }
    for (int row = 30; row < HEIGHT; row++) {
      Arrays.fill(cells, row * WIDTH + 50, row * WIDTH + WIDTH, OccupancyGrid.UNKNOWN);
    }
    return cells;
  }

  private static StartingMap turned(double yaw) {
    OccupancyGrid grid = new OccupancyGrid(WIDTH, HEIGHT, CELL, LEFT, LOW, room());
    ServerMap map = ServerMap.of(grid, new Pose(LEFT, LOW, yaw));
    return StartingMap.of(map, at(10, 5, yaw), CELL);
  }

  /** The middle of a cell in the {@code map} frame. */
  private static Pose at(int column, int row, double yaw) {
    double x = (column + 0.5) * CELL;
    double y = (row + 0.5) * CELL;
    return new Pose(
        LEFT + Math.cos(yaw) * x - Math.sin(yaw) * y,
        LOW + Math.sin(yaw) * x + Math.cos(yaw) * y,
        0);
  }

  private static int cell(double metres) {
    return (int) Math.floor(metres / CELL);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.4, 1.5, -2.8})
  void particlesBeginWithItsWallsWhereTheyStand(double yaw) {
    TiledMap walls = turned(yaw).walls();
    int before = walls.occupiedCells();
    Set<Long> expected = new HashSet<>();
    byte[] cells = room();
    for (int i = 0; i < cells.length; i++) {
      if (cells[i] == 100) {
        Pose middle = at(i % WIDTH, i / WIDTH, yaw);
        expected.add(((long) cell(middle.x()) << 32) + cell(middle.y()));
        int[] x = {(int) Math.floor(middle.x() / CELL * TiledMap.UNITS)};
        int[] y = {(int) Math.floor(middle.y() / CELL * TiledMap.UNITS)};
        walls.hit(x, y, 1, 0, 0);
      }
    }

    // Of a turned wall two cells may fall into one, which then stands for its neighbour, too.
    assertThat(before).isBetween(expected.size() * 9 / 10, expected.size());
    assertThat(walls.occupiedCells()).as("of walls elsewhere").isBetween(before, expected.size());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.4, 1.5, -2.8})
  void itIsDrawnWhereItLies(double yaw) {
    OccupancyGrid drawn = turned(yaw).drawn(CELL, 0).grid();
    byte[] cells = room();
    Set<Long> walls = new HashSet<>();
    for (int i = 0; i < cells.length; i++) {
      if (cells[i] == 100) {
        Pose middle = at(i % WIDTH, i / WIDTH, yaw);
        walls.add(((long) cell(middle.x()) << 32) + cell(middle.y()));
      }
    }
    int differing = 0;
    int free = 0;
    for (int column = -120; column < 120; column++) {
      for (int row = -120; row < 120; row++) {
        double x = (column + 0.5) * CELL - LEFT;
        double y = (row + 0.5) * CELL - LOW;
        int fromColumn = cell(Math.cos(yaw) * x + Math.sin(yaw) * y);
        int fromRow = cell(Math.cos(yaw) * y - Math.sin(yaw) * x);
        boolean isInside =
            fromColumn >= 0 && fromColumn < WIDTH && fromRow >= 0 && fromRow < HEIGHT;
        int from = isInside ? cells[fromRow * WIDTH + fromColumn] : OccupancyGrid.UNKNOWN;
        boolean isWall = walls.contains(((long) column << 32) + row);
        int is = drawnAt(drawn, column, row);
        boolean isRight = isWall ? is == 100 : from == 0 ? is == 0 : is == OccupancyGrid.UNKNOWN;
        differing += isRight ? 0 : 1;
        free += is == 0 ? 1 : 0;
      }
    }
    assertThat(free).isGreaterThan(1000);
    assertThat(differing).isZero();
  }

  private static int drawnAt(OccupancyGrid grid, int column, int row) {
    int atX = column - (int) Math.round(grid.originX() / CELL);
    int atY = row - (int) Math.round(grid.originY() / CELL);
    boolean isInside = atX >= 0 && atX < grid.width() && atY >= 0 && atY < grid.height();
    return isInside ? grid.at(atX, atY) : OccupancyGrid.UNKNOWN;
  }
}
