package org.cartostream.sim.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class SdfWorldTest {

  /** What stands in our files: a wall's thickness is 0.12 m, the wall's middle is at 20 m. */
  private static final double HALF_A_WALL_METRES = 0.06;

  private final SdfWorld office = SdfWorld.load("office");

  @Test
  void knowsTheRobotsLaser() {
    Lidar lidar = office.lidar();
    assertThat(lidar.beams()).isEqualTo(240);
    assertThat(lidar.mount()).isEqualTo(new Pose(0.05, 0, 0));
    assertThat(lidar.startAngle() + 239 * lidar.angleStep()).isCloseTo(3.11541, within(1e-9));
    assertThat(lidar.maxRange()).isEqualTo(8);
    assertThat(lidar.rangeStd()).isEqualTo(0.01);
    assertThat(lidar.periodSeconds()).isEqualTo(0.2);
    assertThat(office.start()).isEqualTo(new Pose(2.2, 7.5, 0));
  }

  @Test
  void hasWallsWhereTheFileHasBoxes() {
    assertThat(office.world().distance(new Pose(18, 7.2, 0)))
        .isCloseTo(2 - HALF_A_WALL_METRES, within(1e-5));
    assertThat(office.world().distance(new Pose(6, 7, -Math.PI / 2)))
        .isCloseTo(0.6 - HALF_A_WALL_METRES, within(1e-5));
  }

  /** A pillar of 0.25 m around (5, 7.5), as a polygon. */
  @Test
  void hasPolygonsWhereTheFileHasCylinders() {
    for (int i = 0; i < 100; i++) {
      double angle = 2 * Math.PI * i / 100;
      Pose from = new Pose(5, 7.5, 0).then(new Pose(0, 0, angle)).then(new Pose(0.8, 0, Math.PI));
      assertThat(office.world().distance(from)).isBetween(0.55 - 1e-9, 0.55 + 0.25 * 0.01);
    }
  }

  @Test
  void refusesAWorldThatIsNotThere() {
    assertThatThrownBy(() -> SdfWorld.load("moon"))
        .isInstanceOf(SdfException.class)
        .hasMessageContaining("worlds/moon.sdf");
  }
}
