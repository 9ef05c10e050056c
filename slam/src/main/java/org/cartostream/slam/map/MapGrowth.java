package org.cartostream.slam.map;

import org.cartostream.slam.sensor.Scan;

/**
 * An upper estimate of the memory that a run's maps may take more when one scan enters them, from
 * the scan alone: where particles stand, and what their maps have already, need not be known.
 *
 * <p>Of a particle's map a scan writes to the tiles in which its hits end, and to those within
 * {@link TiledMap#REACH} cells. Each may be new, or shared and have to be copied. Hits that follow
 * each other along a wall end in the same tiles: going on by d tiles in any direction crosses √2 d
 * borders at most, and two tiles behind each. A hit far from the one before counts for {@value
 * #ALONE}, wherever it is: 1.4 on average. A scan touches no more than lie in the square around it.
 *
 * <p>What it overestimates in a room is some two times; see its test.
 */
public final class MapGrowth {

  /** Tiles around the robot, or around a hit that lies by itself, which its reach meets at most. */
  private static final double AROUND = 4;

  /** Tiles that a hit counts for which is far from the one before. */
  private static final double ALONE = 2;

  /** Tiles for each tile's side along a wall. */
  private static final double ALONG = 2 * StrictMath.sqrt(2);

  /** Hits nearer than that to the one that was counted last, in tiles, end in tiles around it. */
  private static final double SAME = 12.0 / Tile.SIDE;

  /** Number of occupied cells of a typical tile: walls across it, two or three cells thick. */
  private static final int TYPICAL_CELLS = 80;

  private static final int TYPICAL_BYTES =
      Tile.FIXED_BYTES + Integer.BYTES * Tile.RECORD * TYPICAL_CELLS;

  /** Size of a cell that is occupied now, with the room that its tile makes for others, bytes. */
  private static final int CELL_BYTES = Integer.BYTES * Tile.RECORD * 3 / 2;

  private final double tilesPerMetre;
  private final int particles;

  /**
   * @param particles of the run, each with a map of its own
   */
  public MapGrowth(double cellMetres, int particles) {
    this.tilesPerMetre = 1 / (cellMetres * Tile.SIDE);
    this.particles = particles;
  }

  /** Upper estimate for all particles' maps, bytes. */
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
   * Returns the bytes of the map that is drawn for people: the whole rectangle in which scans lie
   * may become free space.
   *
   * @param width of where the robot was, metres
   * @param height the same, across
   * @param farthest the longest range, metres
   */
  public long ofDrawnMap(double width, double height, double farthest) {
    double x = (width + 2 * farthest) * tilesPerMetre + 2;
    double y = (height + 2 * farthest) * tilesPerMetre + 2;
    return (long) (x * y * RayTracedMap.TILE_BYTES);
  }

  /**
   * Returns the bytes of one drawn scan, and no more than its beams cross: a single far one does
   * not make the whole square free.
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

  /** Tiles in the square around a circle, and those that its sides cut. */
  private static double square(double radius) {
    return (2 * radius + 2) * (2 * radius + 2);
  }

  private static double distance(double x, double y) {
    return Math.sqrt(x * x + y * y);
  }
}
