package org.cartostream.slam.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RayTracedMapTest {

  private static final double CELL = 0.5;

  private static Scan scan(Pose mount, double start, double step, float... ranges) {
    return new Scan(mount, start, step, 0.1, 10, ranges);
  }

  @Test
  void beamLeavesFreeCellsAndEndsInAnOccupiedOne() {
    RayTracedMap map = new RayTracedMap(CELL);

    map.trace(new Pose(0.25, 0.25, 0), scan(Pose.ORIGIN, 0, 1, 2f));

    OccupancyGrid grid = map.grid();
    assertThat(grid.height()).isEqualTo(1);
    assertThat(grid.cells()).containsExactly(0, 0, 0, 0, 100);
    assertThat(grid.originX()).isZero();
    assertThat(grid.resolution()).isEqualTo(CELL);
  }

  @Test
  void unknownIsWhatNoBeamCrossed() {
    RayTracedMap map = new RayTracedMap(CELL);

    map.trace(new Pose(0.25, 0.25, 0), scan(Pose.ORIGIN, 0, Math.PI / 2, 1f, 1f));

    OccupancyGrid grid = map.grid();
    assertThat(grid.at(2, 0)).isEqualTo((byte) 100);
    assertThat(grid.at(0, 2)).isEqualTo((byte) 100);
    assertThat(grid.at(1, 1)).isEqualTo(OccupancyGrid.UNKNOWN);
    assertThat(grid.at(0, 0)).isZero();
  }

  @Test
  void beamThatMetNothingTracesNothing() {
    RayTracedMap map = new RayTracedMap(CELL);

    map.trace(Pose.ORIGIN, scan(Pose.ORIGIN, 0, 1, Float.POSITIVE_INFINITY, Float.NaN, 10f));

    assertThat(map.grid().cells()).containsExactly(OccupancyGrid.UNKNOWN);
  }

  @Test
  void aBeamToInfinityTurnsUnknownCellsFreeUpToTheLeastRange() {
    for (double[] each : new double[][] {{2, 10, 2}, {20, 3, 3}}) {
      RayTracedMap map = new RayTracedMap(CELL, each[0]);
      Scan scan =
          new Scan(Pose.ORIGIN, 0, 0.1, 0.1, each[1], new float[] {Float.POSITIVE_INFINITY});
      map.trace(new Pose(0.25, 0.25, 0), scan);
      assertThat(map.grid().cells()).hasSize(1 + (int) (each[2] / CELL)).containsOnly(0);
      assertThat(map.extent().cells()).isEqualTo(map.grid().cells().length);

      map.untrace(new Pose(0.25, 0.25, 0), scan);
      assertThat(map.grid().cells()).containsExactly(OccupancyGrid.UNKNOWN);
    }
  }

  /** A room of 4 x 4 m with black walls: they are met from nearby only, and not at first. */
  @Test
  void nothingIsFreeBehindAWallWheneverItWasSeen() {
    double cell = 0.05;
    float[] nothing = new float[720];
    Arrays.fill(nothing, Float.POSITIVE_INFINITY);
    float[] walls = new float[720];
    for (int i = 0; i < walls.length; i++) {
      double angle = i * Math.PI / 360;
      double side = Math.max(Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle)));
      walls[i] = (float) (2 / side);
    }
    Pose pose = new Pose(0.025, 0.025, 0);
    RayTracedMap seen = new RayTracedMap(cell, 20);
    seen.trace(pose, scan(Pose.ORIGIN, 0, Math.PI / 360, walls));
    OccupancyGrid right = seen.grid();
    for (boolean first : new boolean[] {true, false}) {
      RayTracedMap map = new RayTracedMap(cell, 20);
      map.trace(pose, scan(Pose.ORIGIN, 0, Math.PI / 360, first ? nothing : walls));
      map.trace(pose, scan(Pose.ORIGIN, 0, Math.PI / 360, first ? walls : nothing));
      assertThat(map.grid()).usingRecursiveComparison().isEqualTo(right);
    }
  }

  @Test
  void aBeamWithoutEndTracesNothingThoughTheMaximumIsLeftOpen() {
    // Ranges grow: where one is traced, the map is found to be wide before it is endless.
    for (float nothing : new float[] {300, 327.67f, 1e5f, Float.MAX_VALUE}) {
      RayTracedMap map = new RayTracedMap(CELL);
      float[] ranges = {2, nothing};

      map.trace(
          new Pose(0.25, 0.25, 0),
          new Scan(Pose.ORIGIN, 0, 0.1, 0.1, Double.POSITIVE_INFINITY, ranges));

      assertThat(map.grid().cells()).as("%s m", nothing).containsExactly(0, 0, 0, 0, 100);
    }
  }

  /** A cell's code is as long as one of all (v + 1)! / h! (v - h)! that are alike likely. */
  @Test
  void codesOfScansThatAgreeAreShort() {
    RayTracedMap map = new RayTracedMap(CELL);
    Pose pose = new Pose(0.25, 0.25, 0);
    assertThat(map.codeLength()).isZero();

    map.trace(pose, scan(Pose.ORIGIN, 0, 1, 2f));
    assertThat(map.codeLength()).as("four free cells, one hit").isCloseTo(5, within(1e-9));

    map.trace(pose, scan(Pose.ORIGIN, 0, 1, 2f));
    assertThat(map.codeLength()).as("the same").isCloseTo(5 * log2(3), within(1e-9));

    map.untrace(pose, scan(Pose.ORIGIN, 0, 1, 2f));
    map.trace(pose, scan(Pose.ORIGIN, 0, 1, 1.5f));
    double more = 3 * log2(3) + log2(6) + 1;
    assertThat(map.codeLength()).as("another wall before it").isCloseTo(more, within(1e-9));
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  @Test
  void laserMountedBackwardsSeesBehindTheRobot() {
    RayTracedMap map = new RayTracedMap(CELL);

    map.trace(new Pose(0.25, 0.25, 0), scan(new Pose(-1, 0, Math.PI), 0, 1, 1f));

    OccupancyGrid grid = map.grid();
    assertThat(grid.originX()).isEqualTo(-2);
    assertThat(grid.cells()).containsExactly(100, 0, 0, 0, 0); // As far as to the robot itself.
  }

  @Test
  void theRobotItselfStandsOnTheMap() {
    RayTracedMap map = new RayTracedMap(CELL);
    Pose base = new Pose(0.25, 0.25, Math.PI / 2);
    Scan ahead = scan(new Pose(1, 0, 0), 0, 1, 1f);

    map.trace(base, ahead);

    OccupancyGrid grid = map.grid();
    assertThat(grid.originY()).isZero();
    assertThat(grid.cells()).containsExactly(0, 0, 0, 0, 100);
    map.untrace(base, ahead);
    assertThat(map.grid().cells()).containsExactly(OccupancyGrid.UNKNOWN);
  }

  @Test
  void cellThatMostBeamsCrossIsFreeThoughOneEndedThere() {
    RayTracedMap map = new RayTracedMap(CELL);
    Pose pose = new Pose(0.25, 0.25, 0);
    map.trace(pose, scan(Pose.ORIGIN, 0, 1, 1f));
    for (int i = 0; i < 3; i++) {
      map.trace(pose, scan(Pose.ORIGIN, 0, 1, 2f));
    }

    assertThat(map.grid().cells()).containsExactly(0, 0, 0, 0, 100);
  }

  @Test
  void saysHowLargeItIsBeforeItIsDrawnAndIfItIsTooLargeForThat() {
    RayTracedMap map = new RayTracedMap(CELL);
    assertThat(map.extent()).isEqualTo(new GridExtent(1, 1));
    map.trace(new Pose(0.25, 0.25, 0), scan(Pose.ORIGIN, 0, 1, 2f));
    assertThat(map.extent()).isEqualTo(new GridExtent(5, 1));

    map.trace(new Pose(49_999.75, -24_999.75, Math.PI), scan(Pose.ORIGIN, 0, 1, 2f));

    assertThat(map.extent()).isEqualTo(new GridExtent(100_000, 50_001));
    assertThat(map.extent().cells()).isEqualTo(5_000_100_000L);
    assertThatThrownBy(map::grid)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "a map of 100000 x 50001 cells of 0.5 m is too large to be drawn (at most 2147483639"
                + " cells can be); larger cells make it smaller");
  }

  @Test
  void moreCellsThanALongHoldsAreTheMostItHolds() {
    assertThat(new GridExtent(1L << 32, 1L << 32).cells()).isEqualTo(Long.MAX_VALUE);
    assertThat(new GridExtent(1L << 32, 1L << 30).cells()).isEqualTo(1L << 62);
  }

  @Test
  void aCellThatWasVisitedAsOftenAsCanBeCountedIsSettled() {
    RayTracedMap map = new RayTracedMap(CELL);
    Pose pose = new Pose(0.25, 0.25, 0);
    Scan near = scan(Pose.ORIGIN, 0, 1, 1f);
    for (int i = 0; i < 70_000; i++) {
      map.trace(pose, near);
    }
    assertThat(map.grid().cells()).containsExactly(0, 0, 100);

    for (int i = 0; i < 70_000; i++) {
      map.untrace(pose, near);
    }
    assertThat(map.grid().cells()).as("nothing can be taken back").containsExactly(0, 0, 100);

    for (int i = 0; i < 70_000; i++) {
      map.trace(pose, scan(Pose.ORIGIN, 0, 1, 2f));
    }
    assertThat(map.grid().cells()).as("nothing can be entered").containsExactly(0, 0, 100, 0, 100);
  }

  @Test
  void aScanThatIsTakenBackLeavesNothing() {
    RayTracedMap map = new RayTracedMap(CELL);
    Pose pose = new Pose(0.25, 0.25, 0);
    map.trace(pose, scan(Pose.ORIGIN, 0, 1, 1f));
    OccupancyGrid before = map.grid();

    map.trace(pose, scan(Pose.ORIGIN, 0, 1, 2f));
    assertThat(map.grid().width()).isEqualTo(5);
    map.untrace(pose, scan(Pose.ORIGIN, 0, 1, 2f));

    assertThat(map.grid()).usingRecursiveComparison().isEqualTo(before);
  }
}
