package org.cartostream.slam.localisation;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.settings.LocalisationSettings;

/**
 * A likelihood field: a table of how likely a beam is to end in each cell of a map. The likelihood
 * is a Gaussian of the cell's distance to the nearest wall, with a floor for obstacles that are not
 * in the map (Thrun, Burgard, Fox 2005, section 6.4). Well outside the grid it is the floor.
 *
 * <p>Owns the table, which nothing changes: all particles share it. Logarithms are in fixed point:
 * sums of integers are the same in any order and on any machine.
 */
final class LikelihoodField {

  private static final int ONE = 1 << 11;

  /**
   * Width of the border around the map, in standard deviations: a wall at the map's edge is blurred
   * as any other.
   */
  private static final int AROUND = 3;

  private final int width;
  private final int height;
  private final double metres;

  /** Width of the border on each side, cells. */
  private final int border;

  /** Log likelihood per cell, fixed point in units of 1/{@link #ONE}. */
  private final short[] logs;

  /** Log likelihood of a cell half a σ_hit away from a wall. */
  private final short atWall;

  /** Log likelihood of a cell far from any wall. */
  private final short floor;

  /**
   * The end points of a scan's hits in the frame of the base.
   *
   * @param x x of each end point, in cells of the field
   * @param y y of each end point, in cells of the field
   * @param evidence number of independent beams that each hit counts for
   */
  record ScanEnds(double[] x, double[] y, double evidence) {

    /**
     * Returns about {@code max} of the end points, evenly spread; their evidence is raised to that
     * of all.
     */
    ScanEnds atMost(int max) {
      int stride = Math.max(1, x.length / max);
      int left = (x.length + stride - 1) / stride;
      double[] someX = new double[left];
      double[] someY = new double[left];
      for (int i = 0; i < left; i++) {
        someX[i] = x[i * stride];
        someY[i] = y[i * stride];
      }
      return new ScanEnds(someX, someY, evidence * x.length / left);
    }
  }

  LikelihoodField(ServerMap map, LocalisationSettings settings) {
    metres = map.grid().resolution();
    double cells = settings.sigmaHitMetres() / metres;
    border = 1 + (int) StrictMath.ceil(AROUND * cells);
    width = Math.addExact(map.grid().width(), 2 * border);
    height = Math.addExact(map.grid().height(), 2 * border);
    int[] squared = DistanceTransform.squaredCells(width, height, i -> isSurface(map, i));
    logs = new short[squared.length];
    double miss = settings.zRand();
    for (int i = 0; i < logs.length; i++) {
      logs[i] = log(StrictMath.exp(-squared[i] / (2 * cells * cells)), miss);
    }
    floor = log(0, miss);
    atWall = log(StrictMath.exp(-0.5 * 0.5 / 2), miss);
  }

  private boolean isSurface(ServerMap map, int cell) {
    int x = cell % width - border;
    int y = cell / width - border;
    int of = map.grid().width();
    boolean isInside = x >= 0 && x < of && y >= 0 && y < map.grid().height();
    return isInside && map.isSurface(y * of + x);
  }

  private static short log(double near, double miss) {
    return (short) (ONE * StrictMath.log(miss + (1 - miss) * near));
  }

  /**
   * @param unitsPerMetre unit of {@code beams}
   * @param evidence number of independent beams that each hit counts for
   */
  ScanEnds ends(Beams beams, double unitsPerMetre, double evidence) {
    double[] x = new double[beams.count()];
    double[] y = new double[beams.count()];
    for (int i = 0; i < x.length; i++) {
      x[i] = beams.x()[i] / unitsPerMetre / metres;
      y[i] = beams.y()[i] / unitsPerMetre / metres;
    }
    return new ScanEnds(x, y, evidence);
  }

  /**
   * Returns the mean log likelihood of a scan's hits, at least the logarithm of the floor.
   *
   * @param pose of the base in the grid's frame: metres from its lower left corner
   */
  double meanLog(ScanEnds ends, Pose pose) {
    double cos = StrictMath.cos(pose.theta());
    double sin = StrictMath.sin(pose.theta());
    double left = pose.x() / metres + border;
    double low = pose.y() / metres + border;
    int count = ends.x.length;
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += at(left + cos * ends.x[i] - sin * ends.y[i], low + sin * ends.x[i] + cos * ends.y[i]);
    }
    return (double) sum / ONE / count;
  }

  private short at(double x, double y) {
    int column = (int) x;
    int row = (int) y;
    boolean isInside = column >= 0 && column < width && row >= 0 && row < height;
    return isInside ? logs[row * width + column] : floor;
  }

  /**
   * Returns the share of a scan's hits that end at a wall: within half of the Gaussian's standard
   * deviation.
   */
  double shareAtWalls(ScanEnds ends, Pose pose) {
    double cos = StrictMath.cos(pose.theta());
    double sin = StrictMath.sin(pose.theta());
    double left = pose.x() / metres + border;
    double low = pose.y() / metres + border;
    int near = 0;
    for (int i = 0; i < ends.x.length; i++) {
      double x = left + cos * ends.x[i] - sin * ends.y[i];
      double y = low + sin * ends.x[i] + cos * ends.y[i];
      near += at(x, y) >= atWall ? 1 : 0;
    }
    return (double) near / ends.x.length;
  }
}
