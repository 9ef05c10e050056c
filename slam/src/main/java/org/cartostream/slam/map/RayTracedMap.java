package org.cartostream.slam.map;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * A map for display, by ray tracing: for each cell the number of beams that crossed it or ended in
 * it, and of those that ended in it. Free space comes from tracing each beam (Bresenham) from the
 * laser to its hit. A beam that met nothing counts in no cell, because real lasers report so on
 * glass and black walls too. But if its range is {@code +Infinity} (REP 117), it turns unknown
 * cells free, up to the first wall of the map, whenever that was seen. The cells from the base to
 * the laser, where the robot itself stands, count as free, too; else the robot would stand in
 * unknown space.
 *
 * <p>Owns its cells' counts, and the beams that met nothing. A cell that was visited 65,535 times
 * is settled: no scan is entered into it or taken back from it any more. (In such a cell a few
 * counts depend on what was shown meanwhile; its state does not, unless just a quarter of its beams
 * ended there.)
 */
public final class RayTracedMap {

  /** A cell counts as occupied when more than this share of the beams that met it ended there. */
  private static final double OCCUPIED_ABOVE = 0.25;

  /**
   * Maximum distance from the base to the laser, metres: no robot is longer, so a greater distance
   * is a wrong mount.
   */
  private static final double MAX_ROBOT_METRES = 5;

  private static final byte FREE = 0;
  private static final byte OCCUPIED = 100;

  /** Maximum number of cells: some virtual machines allow no longer arrays. */
  private static final int MAX_CELLS = Integer.MAX_VALUE - 8;

  /** Number of low bits of a tile's column and row that index the cache of the tiles found last. */
  private static final int NEAR_BITS = 5;

  private static final int NEAR_MASK = (1 << NEAR_BITS) - 1;

  /** Size of a tile in memory, bytes: two arrays of counts, and some 150 bytes to find them by. */
  static final int TILE_BYTES = 2 * Character.BYTES * Tile.SIDE * Tile.SIDE + 150;

  private static final class Counts {
    final TileIndex tileIndex;
    final char[] hits = new char[Tile.SIDE * Tile.SIDE];
    final char[] visits = new char[Tile.SIDE * Tile.SIDE];

    Counts(TileIndex tileIndex) {
      this.tileIndex = tileIndex;
    }

    boolean isAt(int x, int y) {
      return tileIndex.x() == x && tileIndex.y() == y;
    }

    void visit(int x, int y, int by) {
      int at = (y & Tile.MASK) << Tile.BITS | (x & Tile.MASK);
      if (visits[at] != Character.MAX_VALUE) {
        visits[at] += (char) by;
      }
    }

    /**
     * Returns the code's length in nats: that of all h hits among v visits is (v + 1)! / h! (v -
     * h)!.
     */
    double codeLength(double[] logFactorials) {
      double nats = 0;
      for (int at = 0; at < visits.length; at++) {
        nats +=
            logFactorials[visits[at] + 1]
                - logFactorials[hits[at]]
                - logFactorials[visits[at] - hits[at]];
      }
      return nats;
    }

    void hit(int x, int y, int by) {
      int at = (y & Tile.MASK) << Tile.BITS | (x & Tile.MASK);
      if (visits[at] != Character.MAX_VALUE) {
        visits[at] += (char) by;
        hits[at] += (char) by;
      }
    }
  }

  /** Column and row of a tile. */
  private record TileIndex(int x, int y) {}

  private final double cellMetres;
  private final double clearedMetres;

  /**
   * Beams that met nothing, by the pose of the scan's base: for each scan the column and row of the
   * laser, and of each beam's end.
   */
  private final Map<Pose, List<int[]>> misses = new HashMap<>();

  private final Map<TileIndex, Counts> tiles = new HashMap<>();

  /** The latest result of {@link #cleared}; null if a scan was entered since. */
  private transient CellSet lastCleared;

  /** Direct-mapped cache of {@link #tiles}: tiles less than 32 apart never collide in it. */
  private final Counts[] near = new Counts[1 << 2 * NEAR_BITS];

  /** Creates a map in which beams that met nothing clear no cells. */
  public RayTracedMap(double cellMetres) {
    this(cellMetres, 0);
  }

  /**
   * @param clearedMetres distance up to which a beam that met nothing turns unknown cells free
   */
  public RayTracedMap(double cellMetres, double clearedMetres) {
    this.cellMetres = cellMetres;
    this.clearedMetres = clearedMetres;
  }

  /**
   * Initialises the counts of an unknown cell.
   *
   * @param hits number of visits that ended in the cell
   */
  public void know(int column, int row, int hits, int visits) {
    lastCleared = null;
    Counts counts = tile(column >> Tile.BITS, row >> Tile.BITS);
    int at = (row & Tile.MASK) << Tile.BITS | (column & Tile.MASK);
    if (counts.visits[at] == 0) {
      counts.visits[at] = (char) visits;
      counts.hits[at] = (char) hits;
    }
  }

  /** Enters a scan taken with the robot's base at {@code base}. */
  public void trace(Pose base, Scan scan) {
    count(base, scan, 1);
  }

  /** Takes back a scan that was entered with the same pose. */
  public void untrace(Pose base, Scan scan) {
    count(base, scan, -1);
  }

  private void count(Pose base, Scan scan, int by) {
    lastCleared = null;
    Pose laser = base.then(scan.mount());
    int fromX = cell(laser.x());
    int fromY = cell(laser.y());
    if (base.distance(laser) <= MAX_ROBOT_METRES) {
      cross(cell(base.x()), cell(base.y()), fromX, fromY, by);
    }
    countMisses(base, laser, scan, by);
    for (int i = 0; i < scan.beams(); i++) {
      if (scan.isHit(i)) {
        double angle = laser.theta() + scan.startAngle() + i * scan.angleStep();
        int toX = cell(laser.x() + scan.ranges()[i] * StrictMath.cos(angle));
        int toY = cell(laser.y() + scan.ranges()[i] * StrictMath.sin(angle));
        cross(fromX, fromY, toX, toY, by).hit(toX, toY, by);
      }
    }
  }

  private void countMisses(Pose base, Pose laser, Scan scan, int by) {
    if (clearedMetres == 0 || !scan.hasInfinity()) {
      return;
    }
    double reach = Math.min(clearedMetres, Math.min(scan.maxRange(), Scan.MAX_RANGE_METRES));
    int[] ends = new int[2 + 2 * scan.beams()];
    int length = 0;
    for (int i = 0; i < scan.beams() && reach > 0; i++) {
      if (scan.ranges()[i] == Float.POSITIVE_INFINITY) {
        double angle = laser.theta() + scan.startAngle() + i * scan.angleStep();
        length = Math.max(length, 2);
        ends[length++] = cell(laser.x() + reach * StrictMath.cos(angle));
        ends[length++] = cell(laser.y() + reach * StrictMath.sin(angle));
      }
    }
    if (length == 0) {
      return;
    }
    ends[0] = cell(laser.x());
    ends[1] = cell(laser.y());
    int[] some = Arrays.copyOf(ends, length);
    List<int[]> here = misses.computeIfAbsent(base, any -> new ArrayList<>(1));
    if (by > 0) {
      here.add(some);
    } else {
      Iterator<int[]> each = here.iterator();
      while (each.hasNext()) {
        if (Arrays.equals(each.next(), some)) {
          each.remove();
          break;
        }
      }
      if (here.isEmpty()) {
        misses.remove(base);
      }
    }
  }

  /**
   * Returns the cells that are cleared by beams that met nothing: those crossed before the first
   * wall, or a neighbour of one.
   */
  private CellSet cleared() {
    if (lastCleared != null) {
      return lastCleared;
    }
    CellSet cleared = new CellSet();
    lastCleared = cleared;
    if (misses.isEmpty()) {
      return cleared;
    }
    CellSet walls = new CellSet();
    tiles.forEach(
        (tileIndex, counts) -> {
          for (int at = 0; at < counts.visits.length; at++) {
            if (isOccupied(counts, at)) {
              int x = (tileIndex.x() << Tile.BITS) + (at & Tile.MASK);
              int y = (tileIndex.y() << Tile.BITS) + (at >> Tile.BITS);
              walls.add(x, y); // And its neighbours: a beam does not slip through a corner.
              walls.add(x - 1, y);
              walls.add(x + 1, y);
              walls.add(x, y - 1);
              walls.add(x, y + 1);
            }
          }
        });
    misses
        .values()
        .forEach(
            scans ->
                scans.forEach(
                    ends -> {
                      for (int i = 2; i < ends.length; i += 2) {
                        clear(ends[0], ends[1], ends[i], ends[i + 1], walls, cleared);
                      }
                    }));
    return cleared;
  }

  private static void clear(
      int fromX, int fromY, int toX, int toY, CellSet walls, CellSet cleared) {
    int steps = Math.max(1, Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY)));
    for (int i = 0; i <= steps; i++) {
      int x = fromX + Math.round((float) i * (toX - fromX) / steps);
      int y = fromY + Math.round((float) i * (toY - fromY) / steps);
      if (walls.has(x, y)) {
        return;
      }
      cleared.add(x, y);
    }
  }

  private static boolean isOccupied(Counts counts, int at) {
    return counts.hits[at] > OCCUPIED_ABOVE * counts.visits[at];
  }

  private int cell(double metres) {
    return (int) StrictMath.floor(metres / cellMetres);
  }

  /**
   * Visits every cell from (fromX, fromY) to just before (toX, toY), by Bresenham's algorithm.
   *
   * @return the tile of (toX, toY)
   */
  private Counts cross(int fromX, int fromY, int toX, int toY, int by) {
    int dx = Math.abs(toX - fromX);
    int dy = -Math.abs(toY - fromY);
    int stepX = fromX < toX ? 1 : -1;
    int stepY = fromY < toY ? 1 : -1;
    int error = dx + dy;
    int x = fromX;
    int y = fromY;
    int tileX = x >> Tile.BITS;
    int tileY = y >> Tile.BITS;
    Counts counts = tile(tileX, tileY);
    while (x != toX || y != toY) {
      counts.visit(x, y, by);
      int twice = 2 * error;
      if (twice >= dy) {
        error += dy;
        x += stepX;
      }
      if (twice <= dx) {
        error += dx;
        y += stepY;
      }
      // A beam crosses hundreds of cells, and few tiles.
      if (x >> Tile.BITS != tileX || y >> Tile.BITS != tileY) {
        tileX = x >> Tile.BITS;
        tileY = y >> Tile.BITS;
        counts = tile(tileX, tileY);
      }
    }
    return counts;
  }

  private Counts tile(int x, int y) {
    int at = (y & NEAR_MASK) << NEAR_BITS | (x & NEAR_MASK);
    Counts counts = near[at];
    if (counts == null || !counts.isAt(x, y)) {
      counts = tiles.computeIfAbsent(new TileIndex(x, y), Counts::new);
      near[at] = counts;
    }
    return counts;
  }

  /**
   * Returns the code length of the beams' hits and passes in all cells, in bits: each cell's share
   * of hits is coded together with them (all shares alike likely before, as in Rissanen, Modeling
   * by shortest data description, 1978). Of two maps of the same scans, that of the shorter code
   * has fewer walls that are crossed by beams or drawn twice; so maps can be compared without a
   * reference.
   */
  public double codeLength() {
    double[] logFactorials = new double[Character.MAX_VALUE + 2];
    for (int n = 2; n < logFactorials.length; n++) {
      logFactorials[n] = logFactorials[n - 1] + StrictMath.log(n);
    }
    // Summed in a fixed order, for the last bit of a sum depends on the order.
    return tiles.values().stream()
            .sorted(
                Comparator.comparingInt((Counts each) -> each.tileIndex.x())
                    .thenComparingInt(each -> each.tileIndex.y()))
            .mapToDouble(each -> each.codeLength(logFactorials))
            .sum()
        / StrictMath.log(2);
  }

  /** Bytes of memory that the map takes. */
  public long bytes() {
    long beams =
        misses.values().stream().flatMap(List::stream).mapToLong(ends -> ends.length).sum();
    return (long) TILE_BYTES * tiles.size() + Integer.BYTES * beams;
  }

  /**
   * Returns the size of the {@link #grid}. This takes time in proportion to the tiles and to the
   * beams that met nothing, and next to no memory.
   */
  public GridExtent extent() {
    return extent(box(cleared()));
  }

  private static GridExtent extent(int[] box) {
    return box[0] > box[2]
        ? new GridExtent(1, 1)
        : new GridExtent(1L + box[2] - box[0], 1L + box[3] - box[1]);
  }

  /**
   * Returns the map as the smallest grid that holds every known cell; one unknown cell if nothing
   * is known.
   *
   * @throws IllegalStateException if it has more cells than an array can hold: 2,147,483,639
   */
  public OccupancyGrid grid() {
    CellSet cleared = cleared();
    int[] box = box(cleared);
    GridExtent gridExtent = extent(box);
    if (gridExtent.cells() > MAX_CELLS) {
      throw new IllegalStateException(
          "a map of "
              + gridExtent
              + " cells of "
              + cellMetres
              + " m is too large to be drawn (at most "
              + MAX_CELLS
              + " cells can be); larger cells make it smaller");
    }
    if (box[0] > box[2]) {
      return new OccupancyGrid(1, 1, cellMetres, 0, 0, new byte[] {OccupancyGrid.UNKNOWN});
    }
    int width = (int) gridExtent.width();
    int height = (int) gridExtent.height();
    byte[] cells = new byte[width * height];
    Arrays.fill(cells, OccupancyGrid.UNKNOWN);
    cleared.forEach((x, y) -> cells[(y - box[1]) * width + x - box[0]] = FREE);
    tiles.forEach(
        (tileIndex, counts) -> {
          for (int at = 0; at < counts.visits.length; at++) {
            if (counts.visits[at] > 0) {
              int x = (tileIndex.x() << Tile.BITS) + (at & Tile.MASK) - box[0];
              int y = (tileIndex.y() << Tile.BITS) + (at >> Tile.BITS) - box[1];
              cells[y * width + x] = isOccupied(counts, at) ? OCCUPIED : FREE;
            }
          }
        });
    return new OccupancyGrid(
        width, height, cellMetres, box[0] * cellMetres, box[1] * cellMetres, cells);
  }

  /**
   * Returns the bounds of the known cells: least column, least row, largest column, largest row.
   */
  private int[] box(CellSet cleared) {
    int[] box = {Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE};
    tiles.forEach((tileIndex, counts) -> enclose(box, tileIndex, counts));
    cleared.forEach((x, y) -> enclose(box, x, y));
    return box;
  }

  private static void enclose(int[] box, TileIndex tileIndex, Counts counts) {
    for (int at = 0; at < counts.visits.length; at++) {
      if (counts.visits[at] > 0) {
        int x = (tileIndex.x() << Tile.BITS) + (at & Tile.MASK);
        int y = (tileIndex.y() << Tile.BITS) + (at >> Tile.BITS);
        enclose(box, x, y);
      }
    }
  }

  private static void enclose(int[] box, int x, int y) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
}
