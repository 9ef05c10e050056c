package org.cartostream.sim.robot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.IntPredicate;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * Path planner in an incomplete map. Paths lead through free cells that are farther from occupied
 * ones than the robot's radius.
 */
final class FrontierPlanner {

  /**
   * Number of unknown neighbours from which on a free cell is a frontier, the edge of the known
   * area.
   */
  private static final int UNKNOWN_NEIGHBOURS = 2;

  /** Occupancy above which a cell is an obstacle, percent. */
  private static final int OCCUPIED_PERCENT = 50;

  private static final int NOWHERE = -1;

  private final OccupancyGrid map;
  private final boolean[] passable;

  /**
   * @param radiusMetres half of the robot's width, and some margin
   * @param robot present pose of the robot; free cells around it count as passable even beside an
   *     obstacle, so that the robot can leave a narrow place
   */
  FrontierPlanner(OccupancyGrid map, double radiusMetres, Pose robot) {
    this.map = map;
    this.passable = new boolean[map.cells().length];
    for (int i = 0; i < passable.length; i++) {
      passable[i] = map.cells()[i] >= 0 && !isOccupied(i);
    }
    int reach = (int) Math.ceil(radiusMetres / map.resolution());
    for (int i = 0; i < passable.length; i++) {
      if (isOccupied(i)) {
        forEachWithin(i, reach, near -> passable[near] = false);
      }
    }
    int here = cell(robot);
    if (here != NOWHERE) {
      forEachWithin(here, reach, near -> passable[near] |= map.cells()[near] == 0);
      passable[here] = true;
    }
  }

  private boolean isOccupied(int cell) {
    return map.cells()[cell] > OCCUPIED_PERCENT;
  }

  private interface Visitor {
    void visit(int cell);
  }

  private void forEachWithin(int cell, int reach, Visitor visitor) {
    int x = cell % map.width();
    int y = cell / map.width();
    for (int dy = -reach; dy <= reach; dy++) {
      for (int dx = -reach; dx <= reach; dx++) {
        boolean inside =
            x + dx >= 0 && x + dx < map.width() && y + dy >= 0 && y + dy < map.height();
        if (inside && dx * dx + dy * dy <= reach * reach) {
          visitor.visit((y + dy) * map.width() + x + dx);
        }
      }
    }
  }

  /**
   * Returns the shortest path to a frontier, from cell to cell, metres; empty if none can be
   * reached.
   */
  List<Pose> toNearestFrontier(Pose from) {
    return shortest(from, this::isFrontier);
  }

  /** Returns the shortest path to a goal; empty if it cannot be reached, or the robot is there. */
  List<Pose> to(Pose goal, Pose from) {
    int wanted = cell(goal);
    return shortest(from, cell -> cell == wanted);
  }

  private boolean isFrontier(int cell) {
    int[] unknown = {0};
    forEachWithin(cell, 1, near -> unknown[0] += map.cells()[near] < 0 ? 1 : 0);
    int x = cell % map.width();
    int y = cell / map.width();
    boolean atEdge = x == 0 || y == 0 || x == map.width() - 1 || y == map.height() - 1;
    return atEdge || unknown[0] >= UNKNOWN_NEIGHBOURS;
  }

  /** Searches breadth first, over the four neighbours of each cell. */
  private List<Pose> shortest(Pose from, IntPredicate goal) {
    int start = cell(from);
    if (start == NOWHERE) {
      return List.of();
    }
    int[] before = new int[passable.length];
    Arrays.fill(before, NOWHERE);
    before[start] = start;
    Deque<Integer> open = new ArrayDeque<>(List.of(start));
    while (!open.isEmpty()) {
      int at = open.remove();
      if (at != start && goal.test(at)) {
        return way(before, start, at);
      }
      forEachWithin(
          at,
          1,
          next -> {
            if (passable[next] && before[next] == NOWHERE) {
              before[next] = at;
              open.add(next);
            }
          });
    }
    return List.of();
  }

  private List<Pose> way(int[] before, int start, int goal) {
    List<Pose> way = new ArrayList<>();
    for (int at = goal; at != start; at = before[at]) {
      way.add(centre(at));
    }
    Collections.reverse(way);
    return way;
  }

  /** Returns true if the robot can drive straight from one pose to another. */
  boolean isClear(Pose from, Pose to) {
    int steps = (int) Math.ceil(from.distance(to) / (map.resolution() / 2)) + 1;
    for (int i = 0; i <= steps; i++) {
      double share = i / (double) steps;
      int cell =
          cell(
              new Pose(
                  from.x() + share * (to.x() - from.x()),
                  from.y() + share * (to.y() - from.y()),
                  0));
      if (cell == NOWHERE || !passable[cell]) {
        return false;
      }
    }
    return true;
  }

  private int cell(Pose pose) {
    int x = (int) Math.floor((pose.x() - map.originX()) / map.resolution());
    int y = (int) Math.floor((pose.y() - map.originY()) / map.resolution());
    boolean inside = x >= 0 && x < map.width() && y >= 0 && y < map.height();
    return inside ? y * map.width() + x : NOWHERE;
  }

  private Pose centre(int cell) {
    return new Pose(
        map.originX() + (cell % map.width() + 0.5) * map.resolution(),
        map.originY() + (cell / map.width() + 0.5) * map.resolution(),
        0);
  }
}
