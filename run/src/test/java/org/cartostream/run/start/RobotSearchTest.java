package org.cartostream.run.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.ServerMap;
import org.junit.jupiter.api.Test;

class RobotSearchTest {

  private static final double CELL = 0.1;
  private static final int SIDE = 40;

  /** Four metres square: free on the left, unknown on the right, a wall a metre wide between. */
  private static ServerMap map() {
    byte[] cells = new byte[SIDE * SIDE];
    for (int row = 0; row < SIDE; row++) {
      Arrays.fill(cells, row * SIDE + 15, row * SIDE + 25, (byte) 100);
      Arrays.fill(cells, row * SIDE + 25, (row + 1) * SIDE, OccupancyGrid.UNKNOWN);
    }
    return ServerMap.of(new OccupancyGrid(SIDE, SIDE, CELL, 0, 0, cells), Pose.ORIGIN);
  }

  @Test
  void aPlaceThatIsNoWallIsTakenAsItIs() {
    Pose free = new Pose(1, 1, 2);
    Pose unknown = new Pose(3, 1, 2);
    assertThat(RobotSearch.freePlace(map(), free)).contains(free);
    assertThat(RobotSearch.freePlace(map(), unknown)).contains(unknown);
  }

  @Test
  void ofAPlaceInAWallOrOutsideTheNearestFreeOneIsTaken() {
    assertNear(new Pose(1.65, 1.25, 2), new Pose(1.45, 1.25, 2));
    assertNear(new Pose(-0.25, 1.25, 2), new Pose(0.05, 1.25, 2));
  }

  private static void assertNear(Pose pose, Pose expected) {
    Pose taken = RobotSearch.freePlace(map(), pose).orElseThrow();
    assertThat(taken.distance(expected)).isCloseTo(0, Offset.offset(1e-9));
    assertThat(taken.theta()).isEqualTo(pose.theta());
  }

  /** Farther than half a metre from all that is free, though what is unknown is nearer. */
  @Test
  void farFromAllThatIsFreeThereIsNone() {
    assertThat(RobotSearch.freePlace(map(), new Pose(2.25, 1, 0))).isEmpty();
    assertThat(RobotSearch.freePlace(map(), new Pose(-0.65, 1, 0))).isEmpty();
  }
}
