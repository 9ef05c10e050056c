package org.cartostream.slam.map;

import java.util.Arrays;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * A map for people: how often each cell was crossed by a beam, and how often a beam ended in it.
 * Free space comes from tracing each beam (Bresenham) from the laser to its hit; a beam that met
 * nothing traces nothing, because real lasers report so on glass and black walls too.
 *
 * <p>Tiles are shared between forks until written, as in {@link TiledMap}.
 */
public final class TracedMap {

  /** A cell counts as occupied when more than this share of the beams that met it ended there. */
  private static final double OCCUPIED_ABOVE = 0.25;

  private static final byte FREE = 0;
  private static final byte OCCUPIED = 100;

  private static final class Counts {
    final Object owner;
    final char[] hits;
    final char[] visits;

    Counts(Object owner) {
      this(owner, new char[Tile.SIDE * Tile.SIDE], new char[Tile.SIDE * Tile.SIDE]);
    }

    Counts(Object owner, char[] hits, char[] visits) {
      this.owner = owner;
      this.hits = hits;
      this.visits = visits;
    }

    Counts copyFor(Object newOwner) {
      return new Counts(newOwner, hits.clone(), visits.clone());
    }
  }

  private final double cellMetres;
  private final TileTable<Counts> tiles;

  /** The tile that was written last, and where it is: a beam stays in one for many cells. */
  private Counts held;

  private int heldX;
  private int heldY;

  public TracedMap(double cellMetres) {
    this(cellMetres, new TileTable<>(Counts::new, counts -> counts.owner, Counts::copyFor));
  }

  private TracedMap(double cellMetres, TileTable<Counts> tiles) {
    this.cellMetres = cellMetres;
    this.tiles = tiles;
  }

  /** A map with the same content. It costs nothing until either is written to. */
  public TracedMap fork() {
    held = null; // it is shared from now on
    return new TracedMap(cellMetres, tiles.fork());
  }

  /** Enters a scan taken with the robot's base at {@code base}. */
  public void trace(Pose base, Scan scan) {
    Pose laser = base.then(scan.mount());
    int fromX = cell(laser.x());
    int fromY = cell(laser.y());
    for (int i = 0; i < scan.beams(); i++) {
      if (scan.isHit(i)) {
        double angle = laser.theta() + scan.startAngle() + i * scan.angleStep();
        int toX = cell(laser.x() + scan.ranges()[i] * StrictMath.cos(angle));
        int toY = cell(laser.y() + scan.ranges()[i] * StrictMath.sin(angle));
        line(fromX, fromY, toX, toY);
      }
    }
  }

  private int cell(double metres) {
    return (int) StrictMath.floor(metres / cellMetres);
  }

  /** Visits every cell from (x, y) to (toX, toY), by Bresenham's algorithm; the last is a hit. */
  private void line(int fromX, int fromY, int toX, int toY) {
    int dx = Math.abs(toX - fromX);
    int dy = -Math.abs(toY - fromY);
    int stepX = fromX < toX ? 1 : -1;
    int stepY = fromY < toY ? 1 : -1;
    int error = dx + dy;
    int x = fromX;
    int y = fromY;
    while (x != toX || y != toY) {
      count(x, y, false);
      int twice = 2 * error;
      if (twice >= dy) {
        error += dy;
        x += stepX;
      }
      if (twice <= dx) {
        error += dx;
        y += stepY;
      }
    }
    count(x, y, true);
  }

  private void count(int x, int y, boolean hit) {
    Counts counts = own(x >> Tile.BITS, y >> Tile.BITS);
    int at = (y & Tile.MASK) << Tile.BITS | (x & Tile.MASK);
    if (counts.visits[at] == Character.MAX_VALUE) {
      // Full: what is known for so long is settled.
      return;
    }
    counts.visits[at]++;
    if (hit) {
      counts.hits[at]++;
    }
  }

  private Counts own(int tileX, int tileY) {
    if (held == null || tileX != heldX || tileY != heldY) {
      held = tiles.own(tileX, tileY);
      heldX = tileX;
      heldY = tileY;
    }
    return held;
  }

  /** The map as a grid that just holds every known cell; one unknown cell if nothing is known. */
  public OccupancyGrid grid() {
    int[] box = {Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE};
    tiles.forEach((tileX, tileY, counts) -> enclose(box, tileX, tileY, counts));
    if (box[0] > box[2]) {
      return new OccupancyGrid(1, 1, cellMetres, 0, 0, new byte[] {OccupancyGrid.UNKNOWN});
    }
    int width = box[2] - box[0] + 1;
    int height = box[3] - box[1] + 1;
    byte[] cells = new byte[Math.multiplyExact(width, height)];
    Arrays.fill(cells, OccupancyGrid.UNKNOWN);
    tiles.forEach(
        (tileX, tileY, counts) -> {
          for (int at = 0; at < counts.visits.length; at++) {
            if (counts.visits[at] > 0) {
              int x = (tileX << Tile.BITS) + (at & Tile.MASK) - box[0];
              int y = (tileY << Tile.BITS) + (at >> Tile.BITS) - box[1];
              boolean occupied = counts.hits[at] > OCCUPIED_ABOVE * counts.visits[at];
              cells[y * width + x] = occupied ? OCCUPIED : FREE;
            }
          }
        });
    return new OccupancyGrid(
        width, height, cellMetres, box[0] * cellMetres, box[1] * cellMetres, cells);
  }

  private static void enclose(int[] box, int tileX, int tileY, Counts counts) {
    for (int at = 0; at < counts.visits.length; at++) {
      if (counts.visits[at] > 0) {
        int x = (tileX << Tile.BITS) + (at & Tile.MASK);
        int y = (tileY << Tile.BITS) + (at >> Tile.BITS);
        box[0] = Math.min(box[0], x);
        box[1] = Math.min(box[1], y);
        box[2] = Math.max(box[2], x);
        box[3] = Math.max(box[3], y);
      }
    }
  }
}
