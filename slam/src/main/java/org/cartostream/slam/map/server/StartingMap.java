package org.cartostream.slam.map.server;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.TiledMap;

/**
 * The occupancy grid with which a mapping run begins, and the robot's pose in it: the walls for the
 * particles' maps, and all known cells for the map that is drawn. Without a grid, nothing is known,
 * and the run begins where its map's origin is. Immutable.
 *
 * <p>A grid does not say how often a cell was seen. So each cell has few counts, and new scans soon
 * outweigh them.
 *
 * @param grid the grid; null if the run begins with an empty map
 * @param start the robot's stated pose at the beginning, in the {@code map} frame
 */
public record StartingMap(PackedMap grid, Pose start) {

  /** Beginning of a run with an empty map. */
  public static final StartingMap NONE = new StartingMap(null, Pose.ORIGIN);

  /**
   * Number of beams that count as having hit a wall cell of the grid: two, as a settled wall needs
   * ({@link TiledMap}). With as many passes, the wall is gone after four beams through it, which
   * one scan from nearby has.
   */
  private static final int WALL_HITS = 2;

  /**
   * Number of beams that count as having visited each known cell: a free cell becomes a wall by two
   * hits, not by one.
   */
  private static final int VISITS = 2 * WALL_HITS;

  /**
   * Relative difference allowed between the cell sizes of grid and filter: less than a cell in a
   * kilometre.
   */
  private static final double SAME_SIDE = 1e-5;

  /**
   * @param cellMetres side of the filter's cells
   * @throws IllegalArgumentException if the map's cells have another size, or the robot cannot be
   *     at {@code start}
   */
  public static StartingMap of(ServerMap map, Pose start, double cellMetres) {
    requireSide(map, cellMetres);
    map.requireFreePlace(start);
    return new StartingMap(PackedMap.of(map), start);
  }

  /**
   * @param cellMetres side of the filter's cells
   * @throws IllegalArgumentException if the map's cells have another size
   */
  public static void requireSide(ServerMap map, double cellMetres) {
    double side = map.grid().resolution();
    if (Math.abs(side - cellMetres) > SAME_SIDE * cellMetres) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "its cells have a side of %s m, and the filter's of %s m (slam.cellMetres):"
                  + " --set slam.cellMetres=%s goes on with it",
              side,
              cellMetres,
              side));
    }
  }

  /**
   * Returns the walls, each cell with one hit at its centre: the next scan that hits the cell
   * settles its mean.
   */
  public TiledMap walls() {
    TiledMap walls = new TiledMap();
    if (grid == null) {
      return walls;
    }
    ServerMap map = grid.unpack();
    double unitsPerMetre = TiledMap.UNITS / map.grid().resolution();
    int[] occupied = IntStream.range(0, map.grid().cells().length).filter(map::isSurface).toArray();
    int[] x = new int[occupied.length];
    int[] y = new int[occupied.length];
    for (int i = 0; i < occupied.length; i++) {
      Pose middle = middle(map, occupied[i]);
      x[i] = (int) StrictMath.floor(middle.x() * unitsPerMetre);
      y[i] = (int) StrictMath.floor(middle.y() * unitsPerMetre);
    }
    walls.hit(x, y, occupied.length, 0, 0);
    return walls;
  }

  private static Pose middle(ServerMap map, int cell) {
    OccupancyGrid cells = map.grid();
    double x = (cell % cells.width() + 0.5) * cells.resolution();
    double y = (cell / cells.width() + 0.5) * cells.resolution();
    return map.origin().then(new Pose(x, y, 0));
  }

  /**
   * Returns the map in which the run's scans are drawn, with the grid's known cells.
   *
   * @param cellMetres side of the drawn map's cells
   * @param clearedMetres see {@link RayTracedMap}
   */
  public RayTracedMap drawn(double cellMetres, double clearedMetres) {
    RayTracedMap drawn = new RayTracedMap(cellMetres, clearedMetres);
    if (grid == null) {
      return drawn;
    }
    ServerMap map = grid.unpack();
    for (int i = 0; i < map.grid().cells().length; i++) {
      if (map.isOccupied(i)) {
        Pose middle = middle(map, i);
        drawn.know(
            column(middle.x(), cellMetres), column(middle.y(), cellMetres), WALL_HITS, VISITS);
      }
    }
    drawFree(map, cellMetres, drawn);
    return drawn;
  }

  /**
   * Draws the free space, by looking up each cell of the drawn map in the grid: so a grid that is
   * turned, or shifted by half a cell, leaves no gaps.
   */
  private static void drawFree(ServerMap map, double cellMetres, RayTracedMap drawn) {
    OccupancyGrid cells = map.grid();
    double width = cells.width() * cells.resolution();
    double height = cells.height() * cells.resolution();
    double[] xs = new double[4];
    double[] ys = new double[4];
    for (int i = 0; i < xs.length; i++) {
      Pose corner = map.origin().then(new Pose(i % 2 * width, i / 2 * height, 0));
      xs[i] = corner.x();
      ys[i] = corner.y();
    }
    int[] columns = range(xs, cellMetres);
    int[] rows = range(ys, cellMetres);
    for (int row = rows[0]; row <= rows[1]; row++) {
      for (int column = columns[0]; column <= columns[1]; column++) {
        Pose middle = new Pose((column + 0.5) * cellMetres, (row + 0.5) * cellMetres, 0);
        int cell = map.cellOf(middle);
        if (cell >= 0 && map.isFree(cell)) {
          drawn.know(column, row, 0, VISITS);
        }
      }
    }
  }

  private static int[] range(double[] metres, double cellMetres) {
    double[] sorted = Arrays.stream(metres).sorted().toArray();
    return new int[] {column(sorted[0], cellMetres), column(sorted[3], cellMetres)};
  }

  private static int column(double metres, double cellMetres) {
    return (int) StrictMath.floor(metres / cellMetres);
  }
}
