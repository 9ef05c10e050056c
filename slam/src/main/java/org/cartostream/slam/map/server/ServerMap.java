package org.cartostream.slam.map.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.MapDescription.Mode;

/**
 * A map read from files as {@code map_server} would publish it: its cells, and their place in the
 * world. Nothing changes it.
 *
 * @param grid the cells. Its origin is its lower left corner, about which the grid may be turned
 * @param origin that corner in the {@code map} frame, with the turn of the grid's axes
 * @param occupiedFrom a cell of this value and more is occupied
 * @param freeUpTo a known cell of this value and less is free
 */
public record ServerMap(OccupancyGrid grid, Pose origin, int occupiedFrom, int freeUpTo) {

  private static final byte OCCUPIED = 100;
  private static final byte FREE = 0;

  /**
   * Reads a map.
   *
   * @param file its YAML file
   * @throws FileFormatException if that or its picture is not what map_server reads, or no cell is
   *     free
   */
  public static ServerMap read(Path file) throws IOException {
    MapDescription description = MapDescription.read(file);
    ServerMap map = of(description, MapImage.read(description.image()));
    map.requireFreeCell(
        "%s: no cell of %s is free, so a robot is nowhere; free are shades %s than %s"
            .formatted(
                file,
                description.image(),
                description.negate() ? "darker" : "lighter",
                description.freeThreshold() + " of " + (description.negate() ? "white" : "black")));
    return map;
  }

  /**
   * A map that was made here.
   *
   * @param from where it comes from
   * @throws FileFormatException if no cell is free
   */
  public static ServerMap of(OccupancyGrid grid, Path from) throws FileFormatException {
    Pose origin = new Pose(grid.originX(), grid.originY(), 0);
    ServerMap map = new ServerMap(grid, origin, OCCUPIED, FREE);
    map.requireFreeCell(from + ": no cell of its map is free, so a robot is nowhere");
    return map;
  }

  /**
   * A map of which nobody knows a file: 100 is a wall, 0 is free.
   *
   * @throws IllegalArgumentException if no cell is free
   */
  public static ServerMap of(OccupancyGrid grid, Pose origin) {
    ServerMap map = new ServerMap(grid, origin, OCCUPIED, FREE);
    if (!map.hasFreeCell()) {
      throw new IllegalArgumentException("no cell of the map is free, so a robot is nowhere");
    }
    return map;
  }

  private void requireFreeCell(String otherwise) throws FileFormatException {
    if (!hasFreeCell()) {
      throw new FileFormatException(otherwise);
    }
  }

  boolean hasFreeCell() {
    for (int i = 0; i < grid.cells().length; i++) {
      if (isFree(i)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The picture that a map's YAML file names.
   *
   * @throws FileFormatException as {@link #read}
   */
  public static Path picture(Path file) throws IOException {
    return MapDescription.read(file).image();
  }

  static ServerMap of(MapDescription description, MapImage image) {
    int width = image.width();
    int height = image.height();
    byte[] cells = new byte[width * height];
    for (int i = 0; i < cells.length; i++) { // A picture begins at the top.
      cells[(height - 1 - i / width) * width + i % width] = cell(description, image, i);
    }
    Pose origin = description.origin();
    OccupancyGrid grid =
        new OccupancyGrid(width, height, description.resolution(), origin.x(), origin.y(), cells);
    return description.mode() == Mode.RAW
        ? new ServerMap(
            grid,
            origin,
            (int) StrictMath.ceil(100 * description.occupiedThreshold()),
            (int) StrictMath.floor(100 * description.freeThreshold()))
        : new ServerMap(grid, origin, OCCUPIED, FREE);
  }

  /**
   * Returns a cell as {@code map_io.cpp} of nav2_map_server and map_server's {@code
   * image_loader.cpp} have it.
   */
  private static byte cell(MapDescription description, MapImage image, int i) {
    double white = image.maximum();
    double shade = image.shade(i, description.mode() == Mode.TRINARY);
    if (description.mode() == Mode.RAW) {
      long value = Math.round(255 * shade / white);
      return value <= OCCUPIED ? (byte) value : OccupancyGrid.UNKNOWN;
    }
    if (description.mode() == Mode.SCALE && image.isTransparent(i)) {
      return OccupancyGrid.UNKNOWN;
    }
    double occupied = (description.negate() ? shade : white - shade) / white;
    if (occupied > description.occupiedThreshold()) {
      return OCCUPIED;
    }
    if (occupied < description.freeThreshold()) {
      return FREE;
    }
    double between = description.occupiedThreshold() - description.freeThreshold();
    // What lies between is neither: 1 to 99, so that no planner takes it for free or a wall.
    return description.mode() == Mode.TRINARY
        ? OccupancyGrid.UNKNOWN
        : (byte) (1 + Math.round(98 * (occupied - description.freeThreshold()) / between));
  }

  /** True if the cell in this place of the grid's cells is known to be free. */
  public boolean isFree(int cell) {
    return grid.cells()[cell] >= 0 && grid.cells()[cell] <= freeUpTo;
  }

  /** True if the cell in this place of the grid's cells is a wall. */
  public boolean isOccupied(int cell) {
    return grid.cells()[cell] >= occupiedFrom;
  }

  /** The place in the grid's cells of a pose in the {@code map} frame; -1 if it lies outside. */
  public int cellOf(Pose pose) {
    Pose inGrid = origin.to(pose);
    double column = StrictMath.floor(inGrid.x() / grid.resolution());
    double row = StrictMath.floor(inGrid.y() / grid.resolution());
    boolean isInside = column >= 0 && column < grid.width() && row >= 0 && row < grid.height();
    return isInside ? (int) row * grid.width() + (int) column : -1;
  }

  /**
   * @param pose where a robot is said to stand, in the {@code map} frame
   * @throws IllegalArgumentException if it lies outside the map, or inside a wall
   */
  public void requireFreePlace(Pose pose) {
    int cell = cellOf(pose);
    String where = String.format(Locale.ROOT, "(%s, %s)", pose.x(), pose.y());
    if (cell < 0) {
      double width = grid.width() * grid.resolution();
      double height = grid.height() * grid.resolution();
      Pose far = origin.then(new Pose(width, height, 0));
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the start %s lies outside the map, which reaches from (%.2f, %.2f) to (%.2f, %.2f)",
              where,
              origin.x(),
              origin.y(),
              far.x(),
              far.y()));
    }
    if (isOccupied(cell)) {
      throw new IllegalArgumentException(
          "the start " + where + " lies inside a wall of the map; a robot stands where it is free");
    }
  }
}
