package org.cartostream.web.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/**
 * What a viewer is sent of the map for each metre that a robot drives, by the code that makes its
 * messages. The robot drives along a corridor between rooms, its path is known, and a map is drawn
 * each metre: so a metre's part is what the laser saw anew.
 */
@Quick
class MapBytesTest {

  private static final double CELL = 0.05;
  private static final double STEP = 0.2;
  private static final int STEPS_A_METRE = 5;
  private static final int METRES = 270;
  private static final double RANGE = 12;
  private static final int BEAMS = 361;
  private static final double ROOM = 5;

  /** The view has filled, and there are many rooms. */
  private static final int FROM = 20;

  private static final int TO = 60;

  /** Of the whole map. */
  private static final double SHARE = 0.05;

  private final ObservedRun run = new ObservedRun();
  private final RayTracedMap map = new RayTracedMap(CELL);
  private final List<double[]> walls = building();

  /** Walls: x and y of one end and of the other. Rooms on both sides have doors of a metre. */
  private static List<double[]> building() {
    List<double[]> walls = new ArrayList<>();
    double end = METRES + 2 * RANGE;
    for (int side : new int[] {-1, 1}) {
      walls.add(new double[] {-RANGE, 6 * side, end, 6 * side});
      for (double x = -RANGE; x < end; x += ROOM) {
        walls.add(new double[] {x, side, x + 2, side});
        walls.add(new double[] {x + 3, side, x + ROOM, side});
        walls.add(new double[] {x, side, x, 6 * side});
      }
    }
    return walls;
  }

  private Scan scan(Pose from) {
    List<double[]> near = walls.stream().filter(wall -> isNear(wall, from.x())).toList();
    float[] ranges = new float[BEAMS];
    double step = 1.5 * Math.PI / (BEAMS - 1);
    for (int i = 0; i < BEAMS; i++) {
      double angle = from.theta() - 0.75 * Math.PI + i * step;
      ranges[i] = (float) range(near, from, Math.cos(angle), Math.sin(angle));
    }
    return new Scan(Pose.ORIGIN, -0.75 * Math.PI, step, 0.05, RANGE, ranges);
  }

  private static boolean isNear(double[] wall, double x) {
    return Math.min(wall[0], wall[2]) < x + RANGE && Math.max(wall[0], wall[2]) > x - RANGE;
  }

  /** To the nearest wall along (dx, dy); {@link #RANGE} if there is none so near. */
  private static double range(List<double[]> walls, Pose from, double dx, double dy) {
    double x = from.x();
    double y = from.y();
    double nearest = RANGE;
    for (double[] wall : walls) {
      double alongX = wall[2] - wall[0];
      double alongY = wall[3] - wall[1];
      double across = dx * alongY - dy * alongX;
      double distance = ((wall[0] - x) * alongY - (wall[1] - y) * alongX) / across;
      double at = ((wall[0] - x) * dy - (wall[1] - y) * dx) / across;
      if (across != 0 && distance > 0 && distance < nearest && at >= 0 && at <= 1) {
        nearest = distance;
      }
    }
    return nearest;
  }

  private ViewerFeed feed() {
    return new ViewerFeed(run, new MapTilesCache(), List.of(), List::of);
  }

  /** Drives a metre; returns what it takes of the map. */
  private int metre(int number, ViewerFeed viewer) {
    for (int i = 1; i <= STEPS_A_METRE; i++) {
      double x = number + i * STEP;
      Pose pose = new Pose(x, 0.2 * Math.sin(x), 0.2 * Math.cos(x));
      map.trace(pose, scan(pose));
    }
    run.map(map.grid(), 0, 0);
    return viewer.next().tiles().length;
  }

  /** What a new viewer is sent. */
  private int wholeMap() {
    return feed().next().tiles().length;
  }

  /**
   * A metre takes as much wherever the robot is, and the map grows by as much each metre. So what
   * the first rooms take says from which length of the building on a metre is a twentieth at most.
   */
  @Test
  void ofALongBuildingAMetreTakesATwentiethOfTheWholeMapAtMost() {
    ViewerFeed viewer = feed();
    int max = 0;
    int wholeBefore = 0;
    int wholeAfter = 0;
    int metre = 0;
    for (; metre < TO; metre++) {
      int bytes = metre(metre, viewer);
      max = metre < FROM ? 0 : Math.max(max, bytes);
      wholeBefore = metre < FROM ? wholeMap() : wholeBefore;
      wholeAfter = wholeMap();
    }
    double growth = (double) (wholeAfter - wholeBefore) / (TO - FROM);
    double enough = 1.1 * max / SHARE; // A door may be seen a little longer.
    int length = (int) Math.ceil(TO + (enough - wholeAfter) / growth);
    System.out.printf(
        "a metre takes %d bytes at most, the map grows by %.0f: %d m long it has %.0f%n",
        max, growth, length, enough);
    assertThat(length).as("some metres are left").isLessThan(METRES - 5);
    assertThat(max).as("not so early").isGreaterThan((int) (SHARE * wholeAfter));
    for (; metre < METRES; metre++) {
      int bytes = metre(metre, viewer);
      if (metre >= length) {
        assertThat((double) bytes / wholeMap()).as("metre %d", metre).isLessThanOrEqualTo(SHARE);
      }
    }
  }
}
