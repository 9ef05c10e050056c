package org.cartostream.slam.map.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.MapDescription.Mode;

/**
 * A map read from files as {@code map_server} would publish it: its cells, and the grid's pose.
 * Immutable.
 *
 * @param grid the cells. Its origin is its lower left corner, about which the grid may be turned
 * @param origin pose of that corner in the {@code map} frame; its heading is the turn of the grid's
 *     axes
 * @param occupiedFrom a cell of this value and more is occupied
 * @param freeUpTo a known cell of this value and less is free
 */
public record ServerMap(OccupancyGrid grid, Pose origin, int occupiedFrom, int freeUpTo) {

  private static final byte OCCUPIED = 100;
  private static final byte FREE = 0;

  /** Shade, of 255, that map_saver writes for an unknown cell. */
  private static final int UNKNOWN_SHADE = 205;

  /**
   * Depth in cells from which on an occupied cell counts as inside: mapped walls are thinner than
   * twice this.
   */
  private static final int DEEP_CELLS = 4;

  /**
   * Reads a map.
   *
   * @param file the map's YAML file
   * @throws FileFormatException if map_server could not read the file or its picture, or no cell is
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

  /** Returns remarks for people about a readable map file, as sentences. */
  public static List<String> notes(Path file) throws IOException {
    MapDescription description = MapDescription.read(file);
    MapImage image = MapImage.read(description.image());
    ServerMap map = of(description, image);
    int count = map.grid.cells().length;
    List<String> notes = new ArrayList<>();
    long unknown =
        IntStream.range(0, count).filter(i -> isKeptUnknown(description, image, i)).count();
    if (unknown > 0) {
      notes.add(
          "%s: %d cells of shade 205 of 255 are unknown, as who writes them means, though by free_thresh %s they would be free"
              .formatted(file, unknown, description.freeThreshold()));
    }
    long solid = IntStream.range(0, count).filter(i -> map.isDeep(i, DEEP_CELLS)).count();
    if (solid > 0) {
      notes.add(
          "%s: %d cells lie deep in what is black all through; of that only the rim counts as wall"
              .formatted(file, solid));
    }
    if (IntStream.range(0, count).noneMatch(map::isOccupied)) {
      notes.add(
          "%s: no cell is occupied, so there is no wall to be found by; occupied are shades %s than %s of %s"
              .formatted(
                  file,
                  description.negate() ? "lighter" : "darker",
                  description.occupiedThreshold(),
                  description.negate() ? "white" : "black"));
    }
    return notes;
  }

  /**
   * Returns a map that was made by a mapping run.
   *
   * @param from file or folder that the map comes from, for the message
   * @throws FileFormatException if no cell is free
   */
  public static ServerMap of(OccupancyGrid grid, Path from) throws FileFormatException {
    Pose origin = new Pose(grid.originX(), grid.originY(), 0);
    ServerMap map = new ServerMap(grid, origin, OCCUPIED, FREE);
    map.requireFreeCell(from + ": no cell of its map is free, so a robot is nowhere");
    return map;
  }

  /**
   * Returns a map without a file, in which 100 is a wall and 0 is free.
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
   * Returns the picture that a map's YAML file names.
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
   * Returns a cell's value as {@code map_io.cpp} of nav2_map_server and map_server's {@code
   * image_loader.cpp} compute it, except for {@link #isKeptUnknown}.
   */
  private static byte cell(MapDescription description, MapImage image, int i) {
    if (isKeptUnknown(description, image, i)) {
      return OccupancyGrid.UNKNOWN;
    }
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
    // Shades between the thresholds become 1 to 99, so that no planner takes them for free or a
    // wall.
    return description.mode() == Mode.TRINARY
        ? OccupancyGrid.UNKNOWN
        : (byte) (1 + Math.round(98 * (occupied - description.freeThreshold()) / between));
  }

  /**
   * Returns true if a cell stays unknown though the file's threshold makes it free: programs that
   * save maps write shade 205 for unknown cells, whatever threshold the YAML file has.
   */
  private static boolean isKeptUnknown(MapDescription description, MapImage image, int i) {
    double white = image.maximum();
    double dark = (white - image.shade(i, true)) / white;
    return description.mode() == Mode.TRINARY
        && !description.negate()
        && dark < description.freeThreshold()
        && !image.isTransparent(i)
        && Math.round(255 * image.shade(i, false) / white) == UNKNOWN_SHADE;
  }

  /** True if the cell in this place of the grid's cells is known to be free. */
  public boolean isFree(int cell) {
    return grid.cells()[cell] >= 0 && grid.cells()[cell] <= freeUpTo;
  }

  /** True if the cell in this place of the grid's cells is a wall. */
  public boolean isOccupied(int cell) {
    return grid.cells()[cell] >= occupiedFrom;
  }

  /**
   * True if the cell is one that a laser can meet: occupied, and not inside what is occupied. Floor
   * plans have areas that are black all through. Mapped walls are thin and have no inside: all
   * their cells count.
   */
  public boolean isSurface(int cell) {
    return isOccupied(cell) && !(isDeep(cell, 1) && isSolid(cell));
  }

  /** Returns true if a cell is deep inside an occupied area, or beside such a cell. */
  private boolean isSolid(int cell) {
    if (isDeep(cell, DEEP_CELLS)) {
      return true;
    }
    int column = cell % grid.width();
    int row = cell / grid.width();
    for (int y = row - DEEP_CELLS; y <= row + DEEP_CELLS; y++) {
      for (int x = column - DEEP_CELLS; x <= column + DEEP_CELLS; x++) {
        boolean isInside = x >= 0 && x < grid.width() && y >= 0 && y < grid.height();
        if (isInside && isDeep(y * grid.width() + x, DEEP_CELLS)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns true if all cells up to {@code cells} columns and rows away are occupied. */
  private boolean isDeep(int cell, int cells) {
    int column = cell % grid.width();
    int row = cell / grid.width();
    for (int y = Math.max(0, row - cells); y <= Math.min(grid.height() - 1, row + cells); y++) {
      for (int x = Math.max(0, column - cells);
          x <= Math.min(grid.width() - 1, column + cells);
          x++) {
        if (!isOccupied(y * grid.width() + x)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Returns the index of the cell at a pose in the {@code map} frame; -1 if it lies outside the
   * grid.
   */
  public int cellOf(Pose pose) {
    Pose inGrid = origin.to(pose);
    double column = StrictMath.floor(inGrid.x() / grid.resolution());
    double row = StrictMath.floor(inGrid.y() / grid.resolution());
    boolean isInside = column >= 0 && column < grid.width() && row >= 0 && row < grid.height();
    return isInside ? (int) row * grid.width() + (int) column : -1;
  }

  /**
   * @param pose stated pose of a robot, in the {@code map} frame
   * @throws IllegalArgumentException if the pose lies outside the map, or inside a wall
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
