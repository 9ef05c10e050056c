package org.cartostream.sim.world;

import java.util.List;
import org.cartostream.slam.geometry.Pose;

/**
 * Flat world of straight walls, which a beam cannot cross.
 *
 * @param walls straight lines, in metres
 */
public record World(List<Wall> walls) {

  /** Wall from one point to another, metres. */
  public record Wall(double fromX, double fromY, double toX, double toY) {

    /**
     * Returns the distance from {@code origin} along a unit vector to this wall, metres; infinity
     * if the ray misses the wall.
     */
    double distance(Pose origin, double directionX, double directionY) {
      double alongX = toX - fromX;
      double alongY = toY - fromY;
      double cross = directionX * alongY - directionY * alongX;
      if (cross == 0) {
        return Double.POSITIVE_INFINITY; // Parallel: a wall seen edge-on has no width.
      }
      double x = fromX - origin.x();
      double y = fromY - origin.y();
      double distance = (x * alongY - y * alongX) / cross;
      double share = (x * directionY - y * directionX) / cross;
      return distance >= 0 && share >= 0 && share <= 1 ? distance : Double.POSITIVE_INFINITY;
    }
  }

  public World {
    walls = List.copyOf(walls);
  }

  /**
   * Returns the distance from {@code origin} along its heading to the nearest wall, metres;
   * infinity if there is none.
   */
  public double distance(Pose origin) {
    double directionX = StrictMath.cos(origin.theta());
    double directionY = StrictMath.sin(origin.theta());
    double nearest = Double.POSITIVE_INFINITY;
    for (Wall wall : walls) {
      nearest = Math.min(nearest, wall.distance(origin, directionX, directionY));
    }
    return nearest;
  }

  /**
   * Returns a small office of 12 x 9 m: a corridor around a block in the middle, with two rooms cut
   * out of the block and pillars and niches that make its sides differ.
   */
  public static World office() {
    return new World(
        List.of(
            // The outer walls, with a niche in the lower one.
            new Wall(0, 0, 7.5, 0),
            new Wall(7.5, 0, 7.5, -0.8),
            new Wall(7.5, -0.8, 9, -0.8),
            new Wall(9, -0.8, 9, 0),
            new Wall(9, 0, 12, 0),
            new Wall(12, 0, 12, 9),
            new Wall(12, 9, 0, 9),
            new Wall(0, 9, 0, 0),
            // The block: its left room opens downwards, its right room upwards.
            new Wall(2, 2, 3.2, 2),
            new Wall(4.4, 2, 10, 2),
            new Wall(10, 2, 10, 7),
            new Wall(10, 7, 8.8, 7),
            new Wall(7.6, 7, 2, 7),
            new Wall(2, 7, 2, 2),
            new Wall(6, 2, 6, 7),
            // A cupboard and a shelf in the rooms.
            new Wall(2, 5.5, 2.6, 5.5),
            new Wall(2.6, 5.5, 2.6, 7),
            new Wall(6, 3.2, 7.2, 3.2),
            // Pillars of the outer corridor.
            new Wall(0, 4, 0.4, 4),
            new Wall(0.4, 4, 0.4, 4.4),
            new Wall(0.4, 4.4, 0, 4.4),
            new Wall(5, 9, 5, 8.6),
            new Wall(5, 8.6, 5.4, 8.6),
            new Wall(5.4, 8.6, 5.4, 9)));
  }
}
