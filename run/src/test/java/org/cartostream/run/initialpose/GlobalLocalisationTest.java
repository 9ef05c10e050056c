package org.cartostream.run.initialpose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.cartostream.gateway.carried.GlobalLocalisation;
import org.cartostream.run.engine.PriorMap;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Lidar;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class GlobalLocalisationTest {

  private static final double CELL = 0.1;
  private static final int SIDE = 40;

  private static final RootSettings SETTINGS = Settings.defaults(RootSettings.class);

  /** The office's corridor in the east lies beyond. */
  private static final double EAST_METRES = 9.5;

  /** The office's reading after which the robot is in the map's part again. */
  private static final int RETURNED = 250;

  /** And one before it left that for the first time. */
  private static final int BEFORE_IT_LEFT = 60;

  private static GlobalLocalisation search(ServerMap map) {
    return new GlobalLocalisation(map, SETTINGS.localisation(), SETTINGS.slam());
  }

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
    assertThat(GlobalLocalisation.freePlace(map(), free)).contains(free);
    assertThat(GlobalLocalisation.freePlace(map(), unknown)).contains(unknown);
  }

  @Test
  void ofAPlaceInAWallOrOutsideTheNearestFreeOneIsTaken() {
    assertNear(new Pose(1.65, 1.25, 2), new Pose(1.45, 1.25, 2));
    assertNear(new Pose(-0.25, 1.25, 2), new Pose(0.05, 1.25, 2));
  }

  private static void assertNear(Pose pose, Pose expected) {
    Pose taken = GlobalLocalisation.freePlace(map(), pose).orElseThrow();
    assertThat(taken.distance(expected)).isCloseTo(0, Offset.offset(1e-9));
    assertThat(taken.theta()).isEqualTo(pose.theta());
  }

  /** Into it by the one corridor and out by another: both look like others that the map has. */
  @Test
  void aRobotIsNotFollowedBackThroughWhatTheMapDoesNotShow() {
    Recording office =
        SimulatedLog.of(
            World.office(),
            Route.office(),
            SimulatedLog.SEED,
            Lidar.usual(),
            new SimulatedLog.Steps(0.2, Math.toRadians(20)));
    GlobalLocalisation search = search(western(office));
    int at = RETURNED;
    while (!search.isFoundAt(office.readings().get(at))) {
      at++;
    }
    boolean hasPlace = true;
    while (hasPlace && at > BEFORE_IT_LEFT) {
      search.followBack(office.readings().get(at));
      Optional<Pose> place = search.place();
      hasPlace = place.isPresent();
      if (hasPlace) {
        assertThat(place.get().distance(office.reference().get(at).pose())).isLessThan(0.3);
        at--;
      }
    }
    assertThat(at).isBetween(RETURNED - 20, RETURNED);
    search.followBack(office.readings().get(BEFORE_IT_LEFT));
    assertThat(search.place()).isEmpty();
    assertThatThrownBy(() -> PriorMap.Drawn.beginning(search))
        .isInstanceOf(ExitException.class)
        .hasMessageContaining("followed back only to");
  }

  /** The map of the whole drive, cut off in the east. */
  private static ServerMap western(Recording drive) {
    RayTracedMap whole = new RayTracedMap(SETTINGS.slam().cellMetres());
    for (int i = 0; i < drive.readings().size(); i++) {
      whole.trace(drive.reference().get(i).pose(), drive.readings().get(i).scan());
    }
    OccupancyGrid grid = whole.grid();
    int width = (int) ((EAST_METRES - grid.originX()) / grid.resolution());
    byte[] cells = new byte[width * grid.height()];
    for (int row = 0; row < grid.height(); row++) {
      System.arraycopy(grid.cells(), row * grid.width(), cells, row * width, width);
    }
    Pose origin = new Pose(grid.originX(), grid.originY(), 0);
    return ServerMap.of(
        new OccupancyGrid(width, grid.height(), grid.resolution(), origin.x(), origin.y(), cells),
        origin);
  }

  /** Nor need its readings be kept forever. */
  @Nightly
  @Test
  void aRobotThatStandsForeverIsNotGivenUp() {
    GlobalLocalisation search = search(map());
    Reading reading =
        SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED).readings().get(0);
    Scan few = reading.scan().atMost(15);
    int count = 0;
    do {
      long stamp = reading.stampNanos() + count++ * 100_000_000L;
      assertThat(search.isFoundAt(new Reading(stamp, reading.odometry(), few))).isFalse();
    } while (search.isNeeded());
    assertThat(count).isEqualTo(20_001);
    assertThat(search.isGivenUp()).isFalse();
    assertThat(search.weighings()).isLessThan(10);
  }

  /** A robot is followed back by many readings: none may prepare the map anew. */
  @Test
  void aLocalisationBesideAPlaceTakesNoneOfTheMapsMemory() {
    int side = 3000;
    byte[] cells = new byte[side * side];
    Arrays.fill(cells, 0, side, (byte) 100);
    OccupancyGrid grid = new OccupancyGrid(side, side, 0.05, 0, 0, cells);
    GlobalLocalisation search = search(ServerMap.of(grid, Pose.ORIGIN));
    Reading reading =
        SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED).readings().get(0);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    search.beside(new Pose(2, 2, 0), reading);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(cells.length);
  }

  /** Farther than half a metre from all that is free, though what is unknown is nearer. */
  @Test
  void farFromAllThatIsFreeThereIsNone() {
    assertThat(GlobalLocalisation.freePlace(map(), new Pose(2.25, 1, 0))).isEmpty();
    assertThat(GlobalLocalisation.freePlace(map(), new Pose(-0.65, 1, 0))).isEmpty();
  }
}
