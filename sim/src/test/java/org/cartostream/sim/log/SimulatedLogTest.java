package org.cartostream.sim.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.sim.robot.SimulatedRobot;
import org.cartostream.sim.world.Lidar;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class SimulatedLogTest {

  private static final Path COMMITTED =
      Path.of(System.getProperty("cartostream.root", "..")).resolve("datasets");

  private static final String LOG = "office.clf";
  private static final String REFERENCE = "office.reference.tum";

  @TempDir private Path folder;

  private static Recording office(long seed) {
    return SimulatedLog.of(World.office(), Route.office(), seed);
  }

  @Test
  void theRecordedSeedGivesTheCommittedFilesByteForByte() throws IOException {
    office(SimulatedLog.SEED).write(folder, SimulatedLog.NAME);

    for (String name : List.of(LOG, REFERENCE)) {
      assertThat(Files.mismatch(folder.resolve(name), COMMITTED.resolve(name)))
          .as("first byte of %s that differs", name)
          .isEqualTo(-1);
    }
    assertThat(Files.size(COMMITTED.resolve(LOG))).isLessThan(1_000_000);
  }

  @Test
  void anotherSeedGivesAnotherLog() throws IOException {
    office(SimulatedLog.SEED + 1).write(folder, SimulatedLog.NAME);

    assertThat(folder.resolve(LOG))
        .content()
        .isNotEqualTo(Files.readString(COMMITTED.resolve(LOG)));
  }

  @Test
  void odometryAloneIsOffByWhatTheReadmeSays() throws Exception {
    Recording committed =
        Recording.read(
            CarmenLog.open(COMMITTED.resolve(LOG), CarmenSettings.defaults()),
            COMMITTED.resolve(REFERENCE));
    double ate = TrajectoryError.of(committed.odometry(), committed.reference()).rmseMetres();

    assertThat(Files.readString(COMMITTED.resolve("README.md")))
        .contains(String.format(java.util.Locale.ROOT, "odometry alone %.2f m", ate));
  }

  @Test
  void theToursStayClearOfTheWalls() {
    World office = World.office();
    for (StampedPose stamped : truths()) {
      for (int degrees = 0; degrees < 360; degrees += 5) {
        Pose ray = stamped.pose().then(new Pose(0, 0, Math.toRadians(degrees)));
        assertThat(office.distance(ray)).as("clearance at %s", stamped).isGreaterThan(0.3);
      }
    }
  }

  private static List<StampedPose> truths() {
    List<StampedPose> truths = new ArrayList<>(office(1).reference());
    truths.addAll(SimulatedLog.of(World.office(), Route.deadEnds(), 1).reference());
    return truths;
  }

  @Test
  void beamsEndWhereTheWallIs() {
    World corner = new World(List.of(new World.Wall(3, -5, 3, 5), new World.Wall(0, 2, 9, 2)));

    assertThat(corner.distance(Pose.ORIGIN)).isCloseTo(3, within(1e-12));
    assertThat(corner.distance(new Pose(1, 0, Math.PI / 2))).isCloseTo(2, within(1e-12));
    // Towards (3, 3) the beam meets y = 2 first, at (2, 2).
    assertThat(corner.distance(new Pose(0, 0, Math.PI / 4))).isCloseTo(Math.sqrt(8), within(1e-12));
    assertThat(corner.distance(new Pose(0, 0, Math.PI))).isInfinite();
  }

  @Test
  void theLaserSeesTheWallsFromItsMount() {
    World wall = new World(List.of(new World.Wall(3, -9, 3, 9)));

    Scan scan = new SimulatedRobot(wall, Lidar.usual(), Pose.ORIGIN, 1).scan();

    int ahead = scan.beams() / 2;
    double angle = scan.startAngle() + ahead * scan.angleStep();
    assertThat((double) scan.ranges()[ahead])
        .isCloseTo((3 - scan.mount().x()) / Math.cos(angle), within(0.05));
    assertThat(scan.isMiss(0)).as("135 degrees to the right there is nothing").isTrue();
  }
}
