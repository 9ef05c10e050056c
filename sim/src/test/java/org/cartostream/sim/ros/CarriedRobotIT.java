package org.cartostream.sim.ros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.message.DiagnosticStatus;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.ros2.Ros2Environment;
import org.cartostream.ros.ros2.Ros2Node;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Live robots that are carried within what they have mapped, while odometry stands, in a real graph
 * of ROS 1 and in one of ROS 2: they are found, and what they see meanwhile is in no map.
 */
@Default
class CarriedRobotIT {

  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(125);
  private static final int CARRIED = 100;
  private static final int TO = 20;
  private static final double NEAR_METRES = 0.25;

  /** No scan is left out, however busy the machine. */
  private static final GatewaySettings SETTINGS =
      Settings.build(
          GatewaySettings.class, Map.of("waitingKeyFrames", "1000", "searchCarried", "true"));

  @TempDir private Path folder;

  private static RosTestBed.Pace pace() {
    long start = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    return new RosTestBed.Pace(start, PERIOD_NANOS, PERIOD_NANOS);
  }

  private static boolean isHeldBack(DiagnosticStatus status) {
    return status.message().contains("does not stand where odometry says")
        || status.message().contains("contradicts odometry");
  }

  /** Drives, and returns how many of the poses are those of the robot where it was carried to. */
  private static void isFound(RosTestBed road) throws Exception {
    Recording office = SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED);
    Recording drive = CarriedDrive.of(office, CARRIED, TO);
    int last = CARRIED + CarriedDrive.BEHIND - 1;
    RosTestBed.Pace pace = pace();
    road.drive(drive, 0, pace, reading -> {});
    await()
        .atMost(RosTestBed.SOON)
        .until(
            () -> road.poses.stream().anyMatch(each -> each.header().stamp() >= pace.stamp(last)));

    int behind = 0;
    for (StampedPose pose : road.estimate()) {
      int number = Math.toIntExact((pose.stampNanos() - pace.startNanos()) / PERIOD_NANOS);
      double metres = pose.pose().distance(truth(drive, number));
      assertThat(metres).as("scan %d", number + 1).isLessThan(NEAR_METRES);
      behind += number >= CARRIED ? 1 : 0;
    }
    assertThat(behind).isGreaterThan(CarriedDrive.BEHIND * 3 / 4);
    road.assertMapShowsTheOffice(drive.reference().get(0).pose());
    assertNoTransformIsSentMeanwhile(road);
  }

  private static Pose truth(Recording drive, int number) {
    return drive.reference().get(0).pose().to(drive.reference().get(number).pose());
  }

  /** From one diagnosis that says so to the next. */
  private static void assertNoTransformIsSentMeanwhile(RosTestBed road) {
    List<DiagnosticStatus> diagnoses = road.diagnoses;
    assertThat(diagnoses)
        .anyMatch(each -> isHeldBack(each) && each.level() == DiagnosticStatus.WARN);
    for (int i = 1; i < diagnoses.size(); i++) {
      if (isHeldBack(diagnoses.get(i - 1)) && isHeldBack(diagnoses.get(i))) {
        assertThat(road.correctionsThen.get(i) - road.correctionsThen.get(i - 1))
            .as(diagnoses.get(i).message())
            .isLessThanOrEqualTo(1); // On its way when the diagnosis was sent.
      }
    }
  }

  @Test
  void aRobotThatIsCarriedIsFoundAndSomebodyMayBeginANewMap() throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    LocalRosMaster ros = LocalRosMaster.started();
    try (RosTestBed road = RosTestBed.open(ros, SETTINGS)) {
      isFound(road);

      Process call = ros.tool("new", "rosservice", "call", "/cartostream/new_map");
      assertThat(call.waitFor(RosTestBed.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(ros.said("new")).contains("success: True", "a new map begins", "is in ");
      int before = road.poses.size();
      RosTestBed.Pace pace = pace();
      Recording office = SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED);
      road.drive(office.first(20), 0, pace, reading -> {});
      await().atMost(RosTestBed.SOON).until(() -> road.poses.size() > before);
      StampedPose first = RosTestBed.stamped(road.poses.get(before));
      assertThat(first.pose()).isEqualTo(Pose.ORIGIN);
      assertThat(road.end()).contains(" 0 lost");
      try (var kept = Files.walk(road.folder())) {
        assertThat(kept.map(each -> each.getFileName().toString()).toList())
            .filteredOn("map.yaml"::equals)
            .hasSize(2);
      }
    }
  }

  @Nightly
  @Test
  void aRobotThatIsCarriedIsFoundOverRos2() throws Exception {
    RosTestBed.Graph ros2 =
        new RosTestBed.Graph(
            (name, watch) ->
                Ros2Node.start(
                    Ros2Environment.access(Map.of("ROS_DOMAIN_ID", "77"), "127.0.0.1"),
                    new GraphNames("/", name, Map.of()),
                    watch),
            folder,
            () -> {});
    try (RosTestBed road = RosTestBed.open(ros2, SETTINGS)) {
      isFound(road);
    }
  }
}
