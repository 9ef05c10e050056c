package org.cartostream.slam.map;

import org.cartostream.slam.sensor.Scan;

/**
 * Upper estimate of the memory by which a run's maps may grow when one scan enters them. It is
 * computed from the scan alone, without the particles' poses and maps.
 *
 * <p>In a particle's map a scan writes to the tiles in which its hits end, and to tiles within
 * {@link TiledMap#REACH} cells of them. Each of these tiles may be new, or shared, so that it must
 * be copied. Hits that follow each other along a wall end in the same tiles: going on by d tiles in
 * any direction crosses √2 d borders at most, and two tiles behind each. A hit far from the one
 * before counts for {@value #ALONE}, wherever it is: 1.4 on average. A scan touches no more tiles
 * than lie in the square around it.
 *
 * <p>In a room the estimate is some two times too high, see the test of this class.
 */
public final class MapGrowth {

  /** Maximum number of tiles within {@link TiledMap#REACH} of one point. */
  private static final double AROUND = 4;

  /** Number of tiles counted for a hit that is far from the one before. */
  private static final double ALONE = 2;

  /** Number of tiles counted for each tile's side of length along a wall. */
  private static final double ALONG = 2 * StrictMath.sqrt(2);

  /**
   * Distance, in tiles, from the hit counted last below which a hit is not counted: it ends in the
   * same tiles.
   */
  private static final double SAME = 12.0 / Tile.SIDE;

  /** Number of occupied cells of a typical tile: walls across it, two or three cells thick. */
  private static final int TYPICAL_CELLS = 80;

  private static final int TYPICAL_BYTES =
      Tile.FIXED_BYTES + Integer.BYTES * Tile.RECORD * TYPICAL_CELLS;

  /** Size of a newly occupied cell, bytes, with its share of the tile's spare room. */
  private static final int CELL_BYTES = Integer.BYTES * Tile.RECORD * 3 / 2;

  private final double tilesPerMetre;
  private final int particles;

  /**
   * @param particles number of the run's particles, each with a map of its own
   */
  public MapGrowth(double cellMetres, int particles) {
    this.tilesPerMetre = 1 / (cellMetres * Tile.SIDE);
    this.particles = particles;
  }

  /** Returns an upper estimate of the growth of all particles' maps by a scan, bytes. */
  public long ofParticles(Scan scan) {
    double cos = StrictMath.cos(scan.startAngle());
    double sin = StrictMath.sin(scan.startAngle());
    double stepCos = StrictMath.cos(scan.angleStep());
    double stepSin = StrictMath.sin(scan.angleStep());
    double tiles = AROUND;
    double lastX = 0;
    double lastY = 0;
    double farthest = 0;
    long hits = 0;
    for (int i = 0; i < scan.beams(); i++) {
      if (scan.isHit(i)) {
        double range = scan.ranges()[i] * tilesPerMetre;
        double moved = distance(range * cos - lastX, range * sin - lastY);
        if (moved > SAME) {
          tiles += Math.min(ALONE, ALONG * moved);
          lastX = range * cos;
          lastY = range * sin;
        }
        farthest = Math.max(farthest, range);
        hits++;
      }
      // A scan of 10,000 beams would take a millisecond by a sine of each.
      double before = cos;
      cos = cos * stepCos - sin * stepSin;
      sin = sin * stepCos + before * stepSin;
    }
    long each = (long) (Math.min(tiles, square(farthest)) * TYPICAL_BYTES) + hits * CELL_BYTES;
    return each * particles;
  }

  /**
   * Returns an upper estimate of the memory of the map that is drawn for people, bytes: the whole
   * rectangle in which scans lie may become free space.
   *
   * @param width width of the robot's path, metres
   * @param height height of the robot's path
   * @param farthest the longest range, metres
   */
  public long ofDrawnMap(double width, double height, double farthest) {
    double x = (width + 2 * farthest) * tilesPerMetre + 2;
    double y = (height + 2 * farthest) * tilesPerMetre + 2;
    return (long) (x * y * RayTracedMap.TILE_BYTES);
  }

  /**
   * Returns an upper estimate of the memory of one drawn scan, bytes. It is no more than the tiles
   * that the beams cross: a single far hit does not make the whole square free.
   */
  public long ofDrawnScan(Scan scan) {
    double crossed = 0;
    for (int i = 0; i < scan.beams(); i++) {
      if (scan.isHit(i)) {
        crossed += ALONG / 2 * scan.ranges()[i] * tilesPerMetre + 2;
      }
    }
    return Math.min(
        (long) (crossed * RayTracedMap.TILE_BYTES), ofDrawnMap(0, 0, scan.farthestHit()));
  }

  /**
   * Returns the number of tiles in the square around a circle, including those that its sides cut.
   */
  private static double square(double radius) {
    return (2 * radius + 2) * (2 * radius + 2);
  }

  private static double distance(double x, double y) {
    return Math.sqrt(x * x + y * y);
  }
}
