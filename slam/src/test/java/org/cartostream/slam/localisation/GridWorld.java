package org.cartostream.slam.localisation;

import java.util.Arrays;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Scan;

/** A world of cells of 5 cm, with a laser that looks all around. */
final class GridWorld {

  private static final double CELL = 0.05;
  private static final int BEAMS = 120;
  private static final double STEP = 0.01;

  private final int width;
  private final int height;
  private final byte[] cells;

  /** Free space with walls around. */
  GridWorld(double widthMetres, double heightMetres) {
    width = (int) Math.round(widthMetres / CELL);
    height = (int) Math.round(heightMetres / CELL);
    cells = new byte[width * height];
    wall(0, 0, widthMetres, CELL);
    wall(0, heightMetres - CELL, widthMetres, heightMetres);
    wall(0, 0, CELL, heightMetres);
    wall(widthMetres - CELL, 0, widthMetres, heightMetres);
  }

  /** Fills a rectangle. */
  GridWorld wall(double left, double low, double right, double high) {
    for (int y = (int) Math.round(low / CELL); y < Math.round(high / CELL); y++) {
      int from = y * width + (int) Math.round(left / CELL);
      Arrays.fill(cells, from, y * width + (int) Math.round(right / CELL), (byte) 100);
    }
    return this;
  }

  /** Its map, whose lower left corner lies at a pose. */
  ServerMap map(Pose origin) {
    OccupancyGrid grid = new OccupancyGrid(width, height, CELL, origin.x(), origin.y(), cells);
    return new ServerMap(grid, origin, 100, 0);
  }

  /** What the laser sees: each beam is followed step by step. */
  Scan scan(Pose robot) {
    float[] ranges = new float[BEAMS];
    double turn = 2 * Math.PI / BEAMS;
    for (int i = 0; i < BEAMS; i++) {
      double angle = robot.theta() + i * turn;
      double range = 0;
      while (!isWall(robot.x() + range * Math.cos(angle), robot.y() + range * Math.sin(angle))) {
        range += STEP;
      }
      ranges[i] = (float) range;
    }
    return new Scan(Pose.ORIGIN, 0, turn, 0, 30, ranges);
  }

  private boolean isWall(double x, double y) {
    return cells[(int) (y / CELL) * width + (int) (x / CELL)] == 100;
  }
}
