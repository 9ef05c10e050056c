package org.cartostream.slam.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.ScanTileCache;
import org.cartostream.slam.map.TiledMap;

/**
 * Scan matcher for a wide search around a guess: tries all poses of a grid and counts beams that
 * end near hits (the correlative scan matching of Olson 2009, section III, at his low resolution;
 * the hill climb takes the place of his high one).
 *
 * <p>A grid step is at most as long as {@link TiledMap#REACH} allows: half a step off along both
 * axes, a beam still ends near its hit. Some of the beams suffice, for the best pose of each
 * heading is only a candidate.
 */
public final class CorrelativeScanMatcher {

  /** Longest step of the grid, metres; {@link #STEP_CELLS} cells if these are shorter. */
  private static final double STEP_METRES = 0.2;

  private static final int STEP_CELLS = TiledMap.REACH + 1;
  private static final double STEP_RADIANS = StrictMath.toRadians(4);

  /** Approximate number of beams used, spread over the scan. */
  private static final int BEAMS = 45;

  /**
   * Cost of each longest step, or step of heading, away from the guess, as a share of the beams: it
   * decides between equal scores.
   */
  private static final double STEP_COST = 0.002;

  private static final int CANDIDATES = 6;

  private final double unitsPerMetre;
  private final int step;
  private final int steps;
  private final int turns;

  /** Length of a step, divided by that of the longest. */
  private final double shareOfLongest;

  /**
   * @param metres how far to look along x and y
   * @param radians how far to turn
   */
  public CorrelativeScanMatcher(double metres, double radians, double cellMetres) {
    unitsPerMetre = TiledMap.UNITS / cellMetres;
    double stepMetres = Math.min(STEP_METRES, STEP_CELLS * cellMetres);
    step = (int) (stepMetres * unitsPerMetre);
    steps = (int) StrictMath.ceil(metres / stepMetres);
    shareOfLongest = stepMetres / STEP_METRES;
    turns = (int) StrictMath.ceil(radians / STEP_RADIANS);
  }

  private record Candidate(Pose pose, double score) {}

  /** The grid's positions for one heading, relative to the guess, in map units. */
  private record Grid(int[] x, int[] y) {

    static Grid of(int steps, int step) {
      int side = 2 * steps + 1;
      int[] x = new int[side * side];
      int[] y = new int[side * side];
      for (int i = 0; i < x.length; i++) {
        x[i] = (i / side - steps) * step;
        y[i] = (i % side - steps) * step;
      }
      return new Grid(x, y);
    }
  }

  /** Returns the best poses of the headings, at most one of each, best first, at most 6. */
  public List<Pose> candidatesAround(TiledMap map, Beams beams, Pose guess) {
    ScanTileCache tiles = new ScanTileCache();
    Grid grid = Grid.of(steps, step);
    List<Candidate> best = new ArrayList<>();
    for (int turn = -turns; turn <= turns; turn++) {
      boolean isFull = best.size() == CANDIDATES;
      double worst = isFull ? best.get(CANDIDATES - 1).score : Double.NEGATIVE_INFINITY;
      Candidate candidate = bestOfHeading(map, tiles, beams, grid, guess, turn);
      // Of equals, the one that was found first stays first.
      if (!isFull || candidate.score > worst) {
        best.add(candidate);
        best.sort(Comparator.comparingDouble(other -> -other.score));
      }
      if (best.size() > CANDIDATES) {
        best.remove(CANDIDATES);
      }
    }
    return best.stream().map(Candidate::pose).toList();
  }

  /** Returns true if two poses are at most a grid step apart. */
  public boolean isWithinStep(Pose one, Pose other) {
    return one.distance(other) <= step / unitsPerMetre
        && Math.abs(Pose.wrap(one.theta() - other.theta())) <= STEP_RADIANS;
  }

  /** Returns the best pose of a heading; of equal ones, the one farthest to the left and down. */
  private Candidate bestOfHeading(
      TiledMap map, ScanTileCache tiles, Beams beams, Grid grid, Pose guess, int turn) {
    double theta = guess.theta() + turn * STEP_RADIANS;
    double cos = StrictMath.cos(theta);
    double sin = StrictMath.sin(theta);
    int stride = Math.max(1, beams.count() / BEAMS);
    int[] x = new int[beams.count() / stride + 1];
    int[] y = new int[x.length];
    int atX = units(guess.x() * unitsPerMetre);
    int atY = units(guess.y() * unitsPerMetre);
    int count = 0;
    for (int i = 0; i < beams.count(); i += stride) {
      x[count] = units(cos * beams.x()[i] - sin * beams.y()[i] + guess.x() * unitsPerMetre) - atX;
      y[count] = units(sin * beams.x()[i] + cos * beams.y()[i] + guess.y() * unitsPerMetre) - atY;
      count++;
    }
    tiles.locate(map, x, y, count, atX, atY, steps * step);
    int[] near = new int[grid.x.length];
    for (int i = 0; i < count; i++) {
      tiles.addNear(grid.x, grid.y, near.length, x[i] + atX, y[i] + atY, near);
    }
    Candidate best = null;
    for (int i = 0; i < near.length; i++) {
      int right = grid.x[i] / step;
      int up = grid.y[i] / step;
      double away = shareOfLongest * (Math.abs(right) + Math.abs(up)) + Math.abs(turn);
      double score = near[i] - STEP_COST * count * away;
      if (best == null || score > best.score) {
        best =
            new Candidate(
                new Pose(
                    guess.x() + right * step / unitsPerMetre,
                    guess.y() + up * step / unitsPerMetre,
                    Pose.wrap(theta)),
                score);
      }
    }
    return best;
  }

  private static int units(double value) {
    return (int) StrictMath.floor(value);
  }
}
