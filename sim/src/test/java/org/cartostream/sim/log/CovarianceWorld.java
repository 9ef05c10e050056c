package org.cartostream.sim.log;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.sim.world.Lidar;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;

/** Worlds in which poses are compared with their covariances. Nothing was tuned in them. */
enum CovarianceWorld {
  /** Corridors of 2 m around two blocks, with pillars: 156 m, each part twice. */
  CORRIDORS {
    @Override
    void build() {
      box(0, 0, 30, 18);
      box(2, 2, 13.5, 16);
      box(15.7, 2, 28, 16);
      double[][] below = {{4, 0}, {9.5, 0}, {18, 0}, {25, 0}};
      double[][] above = {{3, 17.7}, {10, 17.7}, {20, 17.7}, {26, 17.7}};
      boxes(0.6, 0.3, below);
      boxes(0.6, 0.3, above);
      boxes(0.3, 0.6, new double[][] {{0, 5}, {0, 12.5}, {29.7, 4}, {29.7, 11}});
      boxes(0.3, 0.6, new double[][] {{13.5, 6}, {13.5, 11.2}});
      start = new Pose(1, 1, 0);
      via(14.7, 1, 14.7, 17, 1, 17, 1, 1, 14.7, 1, 29, 1);
      via(29, 17, 14.7, 17, 14.7, 1, 29, 1, 29, 9);
    }
  },
  /** A hall of 32 x 20 m with boxes, wider than the laser sees: 142 m. */
  HALL {
    @Override
    void build() {
      box(0, 0, 32, 20);
      boxes(1, 0.8, new double[][] {{5, 4}, {11, 8}, {6, 14}, {17, 3}, {16, 13}});
      boxes(1, 0.8, new double[][] {{22, 8}, {27, 15}, {28, 4}, {12, 16.5}});
      start = new Pose(2, 2, 0);
      via(14, 2, 14, 18, 3, 18, 3, 10, 20, 10.5, 20, 18, 30, 18, 30, 2);
      via(20, 2, 20, 10.5, 14.5, 10.5, 14.5, 2, 2, 2);
    }
  },
  /** A corridor of 48 m with a bend, and rooms on both sides, there and back: 161 m. */
  ROOMS {
    @Override
    void build() {
      line(0, 0, 8, 0);
      line(9.2, 0, 20, 0);
      line(21.2, 0, 33, 0);
      line(34.2, 0, 46, 0, 46, -14, 43.8, -14);
      line(0, 0, 0, 2.2, 14, 2.2);
      line(15.2, 2.2, 27, 2.2);
      line(28.2, 2.2, 48.2, 2.2, 48.2, -14, 43.8, -14);
      line(6, 0, 6, -5, 11, -5, 11, 0);
      line(18, 0, 18, -4.5, 24, -4.5, 24, 0);
      line(31, 0, 31, -6, 36, -6, 36, 0);
      line(12, 2.2, 12, 7, 17, 7, 17, 2.2);
      line(25, 2.2, 25, 6.5, 30.5, 6.5, 30.5, 2.2);
      boxes(0.8, 1, new double[][] {{7, -4.5}, {13, 5}, {22, -4}, {29, 5}, {32, -5}});
      boxes(0.5, 0.4, new double[][] {{3.5, 1.8}, {39, 0}, {47.7, -6}});
      start = new Pose(1, 1.1, 0);
      via(8.6, 1.1, 8.6, -3, 9.2, -3, 8.6, 1.1, 14.6, 1.1, 14.6, 5, 15.5, 5, 14.6, 1.1);
      via(20.6, 1.1, 20.6, -3, 20.6, 1.1, 27.6, 1.1, 27.6, 5, 27.6, 1.1, 33.6, 1.1);
      via(33.6, -4, 33.6, 1.1, 47, 1.1, 47, -12, 47, 1.1, 20, 1.1, 2, 1.1);
    }
  };

  private static final SimulatedLog.Steps STEPS =
      new SimulatedLog.Steps(0.25, StrictMath.toRadians(20));

  private final List<World.Wall> walls = new ArrayList<>();
  private final List<Route.Stop> stops = new ArrayList<>();
  Pose start;

  CovarianceWorld() {
    build();
  }

  abstract void build();

  /** A drive of a robot with the usual laser and its errors. */
  Recording drive(long seed) {
    return SimulatedLog.of(new World(walls), new Route(start, stops), seed, Lidar.usual(), STEPS);
  }

  /** Adds walls from one place to the next. */
  void line(double... places) {
    for (int i = 0; i + 3 < places.length; i += 2) {
      walls.add(new World.Wall(places[i], places[i + 1], places[i + 2], places[i + 3]));
    }
  }

  void box(double left, double below, double right, double above) {
    line(left, below, right, below, right, above, left, above, left, below);
  }

  void boxes(double width, double height, double[][] corners) {
    for (double[] corner : corners) {
      box(corner[0], corner[1], corner[0] + width, corner[1] + height);
    }
  }

  void via(double... places) {
    for (int i = 0; i < places.length; i += 2) {
      stops.add(new Route.Stop(places[i], places[i + 1], false));
    }
  }
}
