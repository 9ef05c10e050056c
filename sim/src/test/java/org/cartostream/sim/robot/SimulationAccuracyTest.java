package org.cartostream.sim.robot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.sim.world.SdfWorld;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;

@Nightly(computes = true)
class SimulationAccuracyTest {

  private static final double METRES = 0.1;

  private static List<Simulation.Sample> explore(long seed) {
    List<Simulation.Sample> samples = new ArrayList<>();
    new Simulation(SdfWorld.load("office"), seed, 0).forEachRemaining(samples::add);
    return samples;
  }

  /** Each square metre of the 20 x 15 m is known in part, and the robot comes home. */
  @Test
  void theRobotSeesTheWholeOfficeAndComesHome() {
    List<Simulation.Sample> samples = explore(3);
    RayTracedMap seen = new RayTracedMap(METRES);
    samples.forEach(sample -> seen.trace(sample.truth(), sample.reading().scan()));
    OccupancyGrid map = seen.grid();
    for (int x = 1; x < 20; x++) {
      for (int y = 1; y < 15; y++) {
        assertThat(isKnownNear(map, x, y)).as("near (%d, %d) m", x, y).isTrue();
      }
    }
    Pose first = samples.get(0).truth();
    Pose last = samples.get(samples.size() - 1).truth();
    assertThat(first.distance(last)).isLessThan(0.2);
  }

  private static boolean isKnownNear(OccupancyGrid map, double x, double y) {
    for (double dx = -0.5; dx < 0.5; dx += METRES) {
      for (double dy = -0.5; dy < 0.5; dy += METRES) {
        int column = (int) Math.floor((x + dx - map.originX()) / METRES);
        int row = (int) Math.floor((y + dy - map.originY()) / METRES);
        if (map.at(column, row) != OccupancyGrid.UNKNOWN) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void theRobotNeverTouchesAWall() {
    World world = SdfWorld.load("office").world();
    for (Simulation.Sample sample : explore(4)) {
      for (int i = 0; i < 16; i++) {
        Pose look = sample.truth().then(new Pose(0, 0, i * Math.PI / 8));
        assertThat(world.distance(look)).isGreaterThan(0.15);
      }
    }
  }
}
