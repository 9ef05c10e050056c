package org.cartostream.sim.ros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.ros2.Ros2Environment;
import org.cartostream.ros.ros2.Ros2Node;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same drive over ROS 1 and over ROS 2. */
@Nightly
class Ros2DriveIT {

  private static final int READINGS = 160;
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(125);

  private static final Recording OFFICE =
      SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED).first(READINGS);

  /** None is left out, however busy the machine: else a drive would be of other scans. */
  private static final GatewaySettings PATIENT =
      Settings.build(GatewaySettings.class, Map.of("waitingKeyFrames", "1000"));

  @TempDir private Path folder;

  @Test
  void thePosesAreAsGoodOverRos2AsOverRos1() throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    double overRos1;
    try (RosTestBed road = RosTestBed.open(LocalRosMaster.started(), PATIENT)) {
      overRos1 = errorMetres(road);
    }
    RosTestBed.Graph ros2 =
        new RosTestBed.Graph(
            (name, watch) ->
                Ros2Node.start(
                    Ros2Environment.access(Map.of("ROS_DOMAIN_ID", "73"), "127.0.0.1"),
                    new GraphNames("/", name, Map.of()),
                    watch),
            folder,
            () -> {});
    try (RosTestBed road = RosTestBed.open(ros2, PATIENT)) {
      assertThat(errorMetres(road)).isCloseTo(overRos1, within(0.005));
    }
  }

  private static double errorMetres(RosTestBed road) throws Exception {
    long start = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    RosTestBed.Pace pace = new RosTestBed.Pace(start, PERIOD_NANOS, PERIOD_NANOS);
    road.drive(OFFICE, 0, pace, reading -> {});
    await()
        .atMost(RosTestBed.SOON)
        .until(
            () -> road.poses.stream().anyMatch(each -> number(pace, each.header().stamp()) > 155));
    List<StampedPose> estimate = road.estimate();
    List<StampedPose> reference =
        estimate.stream()
            .map(pose -> number(pace, pose.stampNanos()))
            .map(i -> new StampedPose(pace.stamp(i), OFFICE.reference().get(i).pose()))
            .toList();
    assertThat(estimate).hasSizeGreaterThan(READINGS / 4);
    double metres = TrajectoryError.of(estimate, reference).rmseMetres();
    System.out.println(estimate.size() + " poses, ATE " + metres + " m");
    return metres;
  }

  private static int number(RosTestBed.Pace pace, long stampNanos) {
    return Math.toIntExact((stampNanos - pace.startNanos()) / PERIOD_NANOS);
  }
}
