package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.cartostream.cli.Cartostream;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.PoseWithCovariance;
import org.cartostream.ros.message.PoseWithCovarianceStamped;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.node.RosNode;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.ros.RosRobot;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A robot beside a real ROS master is localised by a gateway, in the map of an earlier run. */
@Timeout(240)
class LocalisedRobotIT {

  private static final Duration SOON = Duration.ofSeconds(90);
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int MAPPED = 300;
  private static final int DRIVEN = 120;

  @TempDir private Path folder;

  private final Recording office =
      SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED);
  private final List<PoseWithCovarianceStamped> found = new CopyOnWriteArrayList<>();
  private final List<RosOccupancyGrid> maps = new CopyOnWriteArrayList<>();
  private final long start = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());

  private Path map() throws Exception {
    office.write(folder, "office");
    Cartostream mapped =
        Cartostream.run(
            "replay",
            folder.resolve("office.clf"),
            "--engine",
            "serial",
            "--limit",
            MAPPED,
            "--out",
            folder.resolve("mapped"));
    assertThat(mapped.exitCode()).isZero();
    return folder.resolve("mapped/map.yaml");
  }

  /** In the map's frame, which begins where the robot did. */
  private Pose truth(int reading) {
    return office.reference().get(0).pose().to(office.reference().get(reading).pose());
  }

  private void drive(RosRobot robot, int from, int to) {
    int[] next = {from};
    await()
        .atMost(SOON)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofNanos(PERIOD_NANOS))
        .until(
            () -> {
              Reading reading = office.readings().get(next[0]);
              long stamp = start + next[0] * PERIOD_NANOS;
              robot.publishOdometry(stamp, reading.odometry());
              robot.publishScan(stamp, reading.scan());
              return ++next[0] == to;
            });
  }

  /** The newest pose, which is of one of the last readings, lies where the robot truly was. */
  private void assertFound(int latest) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              PoseWithCovarianceStamped newest = found.get(found.size() - 1);
              int reading = (int) Math.round((newest.header().stamp() - start) / 1e8);
              assertThat(reading).isGreaterThan(latest - 20);
              Pose pose = RigidTransform.of(newest.pose().pose()).planar();
              assertThat(pose.distance(truth(reading))).as(() -> "metres").isLessThan(0.25);
              assertThat(Math.sqrt(2 * newest.pose().covariance()[0])).isLessThan(0.5);
            });
  }

  @Test
  void isWhereItTrulyIs() throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    Path map = map();
    ShutdownRequest stop = new ShutdownRequest();
    Path out = folder.resolve("out");
    try (LocalRosMaster ros = LocalRosMaster.started();
        RosNode drivers = ros.node("drivers")) {
      drivers.subscribe("/amcl_pose", PoseWithCovarianceStamped.TYPE, found::add);
      drivers.subscribe("/map", RosOccupancyGrid.TYPE, maps::add);
      RosNode.Publisher<PoseWithCovarianceStamped> operator =
          drivers.advertise("/initialpose", PoseWithCovarianceStamped.TYPE, false);
      RosRobot robot = new RosRobot(drivers);
      CompletableFuture<Cartostream> gateway =
          CompletableFuture.supplyAsync(
              () ->
                  Cartostream.run(
                      stop,
                      "gateway",
                      "--robot",
                      "tb3",
                      "--ros",
                      ros.uri(),
                      "--localise",
                      map,
                      "--at",
                      "0.2,-0.1,0.05",
                      "--out",
                      out,
                      "--set",
                      "localisation.particles=500"));
      await().atMost(SOON).until(robot::hasSubscribers);
      robot.publishLaserMount(office.readings().get(0).scan().mount());
      drive(robot, 0, DRIVEN);
      assertFound(DRIVEN - 1);

      Pose here = truth(DRIVEN - 1);
      Pose beside = new Pose(here.x() + 0.3, here.y() - 0.2, here.theta());
      double[] covariance = new double[36];
      covariance[0] = 0.25;
      covariance[7] = 0.25;
      covariance[35] = 0.07;
      operator.send(
          new PoseWithCovarianceStamped(
              new Header(0, 0, "map"),
              new PoseWithCovariance(RigidTransform.of(beside).rosPose(), covariance)));
      drive(robot, DRIVEN, 2 * DRIVEN);
      assertFound(2 * DRIVEN - 1);

      OccupancyGrid known = ServerMap.read(map).grid();
      assertThat(maps).hasSize(1);
      assertThat(maps.get(0).data()).isEqualTo(known.cells());
      stop.request(130);
      Cartostream ended = gateway.get(SOON.toSeconds(), TimeUnit.SECONDS);
      assertThat(ended.exitCode()).isEqualTo(130);
      assertThat(ended.out()).matches("(?s)\\d+ scans read: [1-9]\\d* processed, .* 0 lost.*");
    }
    assertThat(Files.readAllLines(out.resolve("trajectory.tum"))).hasSizeGreaterThan(50);
    assertThat(out.resolve("map.yaml")).doesNotExist();
  }
}
