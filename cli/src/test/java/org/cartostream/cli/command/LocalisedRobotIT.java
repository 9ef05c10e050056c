package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.PoseArray;
import org.cartostream.ros.message.PoseWithCovariance;
import org.cartostream.ros.message.PoseWithCovarianceStamped;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.message.RosParticleCloud;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.MasterMonitor;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.ros2.Ros2Environment;
import org.cartostream.ros.ros2.Ros2Node;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.ros.RosRobot;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A robot beside a real ROS master is localised by a gateway, in the map of an earlier run. */
@Nightly
@Timeout(240)
class LocalisedRobotIT {

  private static final Duration SOON = Duration.ofSeconds(90);
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int MAPPED = 300;
  private static final int DRIVEN = 120;
  private static final int ROOM_CELLS = 40;

  @TempDir private Path folder;

  private final Recording office =
      SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED);
  private final List<PoseWithCovarianceStamped> found = new CopyOnWriteArrayList<>();
  private final List<RosOccupancyGrid> maps = new CopyOnWriteArrayList<>();
  private final List<PoseArray> clouds = new CopyOnWriteArrayList<>();
  private final List<RosParticleCloud> nav2Clouds = new CopyOnWriteArrayList<>();
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

  private int reading(PoseWithCovarianceStamped pose) {
    return (int) Math.round((pose.header().stamp() - start) / (double) PERIOD_NANOS);
  }

  private double errorMetres(PoseWithCovarianceStamped pose) {
    Pose where = RigidTransform.of(pose.pose().pose()).planar();
    return where.distance(truth(reading(pose)));
  }

  /** The newest pose, which is of one of the last readings, lies where the robot truly was. */
  private void assertFound(int latest) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              PoseWithCovarianceStamped newest = found.get(found.size() - 1);
              assertThat(reading(newest)).isGreaterThan(latest - 20);
              assertThat(errorMetres(newest)).isLessThan(0.25);
              assertThat(Math.sqrt(2 * newest.pose().covariance()[0])).isLessThan(0.5);
            });
  }

  /** The gateway shows 500 of the particles, half a second apart at least. */
  private void assertParticlesAreThere() {
    assertThat(clouds).hasSizeBetween(2, DRIVEN / 2);
    assertThat(nav2Clouds).hasSizeBetween(2, DRIVEN / 2);
    PoseArray newest = clouds.get(clouds.size() - 1);
    Pose truth = truth((int) Math.round((newest.header().stamp() - start) / (double) PERIOD_NANOS));
    assertThat(newest.poses()).hasSize(500);
    assertThat(newest.poses().stream().map(each -> RigidTransform.of(each).planar()))
        .allMatch(pose -> pose.distance(truth) < 1);
    assertThat(nav2Clouds.get(nav2Clouds.size() - 1).particles())
        .hasSize(500)
        .allMatch(each -> each.weight() == 1.0 / 500);
  }

  @Test
  void isWhereItTrulyIsInAGraphOfRos1() throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    try (LocalRosMaster ros = LocalRosMaster.started();
        RosNode drivers = ros.node("drivers")) {
      isWhereItTrulyIs(drivers, Map.of(), () -> takesWhatRosserviceSays(ros), "--ros", ros.uri());
    }
  }

  /**
   * ROS's own client calls the services that map_server and amcl have. In another map a new run
   * begins, which has no scans yet.
   */
  private void takesWhatRosserviceSays(LocalRosMaster ros) throws Exception {
    for (String name : List.of("global_localization", "request_nomotion_update")) {
      Process call = ros.tool(name, "rosservice", "call", "/" + name);
      assertThat(call.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(call.exitValue()).as(ros.said(name)).isZero();
    }
    assertThat(maps).hasSize(1);
    assertThat(setMap(ros, "outside", 5)).contains("success: False");
    assertThat(setMap(ros, "inside", 1)).contains("success: True");
    await().atMost(SOON).untilAsserted(() -> assertThat(maps).hasSizeGreaterThan(1));
    RosOccupancyGrid another = maps.get(maps.size() - 1);
    assertThat(another.info().width()).isEqualTo(ROOM_CELLS);
    assertThat(another.data()).isEqualTo(room());
    Process call = ros.tool("static", "rosservice", "call", "/static_map");
    assertThat(call.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(ros.said("static")).contains("width: " + ROOM_CELLS);
  }

  /** An empty room, two metres wide. */
  private static byte[] room() {
    byte[] cells = new byte[ROOM_CELLS * ROOM_CELLS];
    for (int i = 0; i < ROOM_CELLS; i++) {
      cells[i] = 100;
      cells[i * ROOM_CELLS] = 100;
      cells[cells.length - 1 - i] = 100;
      cells[cells.length - 1 - i * ROOM_CELLS] = 100;
    }
    return cells;
  }

  /**
   * @param metres along both axes, where the robot is said to be
   * @return the answer
   */
  private static String setMap(LocalRosMaster ros, String name, double metres) throws Exception {
    String map =
        "{header: {frame_id: map}, info: {resolution: 0.05, width: %d, height: %d, origin: {orientation: {w: 1.0}}}, data: %s}"
            .formatted(ROOM_CELLS, ROOM_CELLS, Arrays.toString(room()));
    String pose =
        "{header: {frame_id: map}, pose: {pose: {position: {x: %s, y: %s}, orientation: {w: 1.0}}}}"
            .formatted(metres, metres);
    String request = "{map: %s, initial_pose: %s}".formatted(map, pose);
    Process call = ros.tool(name, "rosservice", "call", "/set_map", request);
    assertThat(call.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return ros.said(name);
  }

  @Test
  void isWhereItTrulyIsInAGraphOfRos2() throws Exception {
    Map<String, String> environment =
        Map.of("ROS_DOMAIN_ID", "74", "ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST");
    try (RosNode drivers =
        Ros2Node.start(
            Ros2Environment.access(environment, "127.0.0.1"),
            new GraphNames("/", "drivers", Map.of()),
            new MasterMonitor())) {
      isWhereItTrulyIs(drivers, environment, () -> {}, "--ros2", "--interface", "127.0.0.1");
    }
    assertThat(Files.readAllLines(folder.resolve("out/trajectory.tum"))).hasSizeGreaterThan(50);
  }

  /** What is done at last, while the gateway runs. */
  private interface Ending {
    void run() throws Exception;
  }

  private void isWhereItTrulyIs(
      RosNode drivers, Map<String, String> environment, Ending ending, Object... graph)
      throws Exception {
    Path map = map();
    Path out = folder.resolve("out");
    List<Object> command = new ArrayList<>(List.of("gateway", "--robot", "tb3"));
    command.addAll(List.of(graph));
    command.addAll(List.of("--localise", map, "--at", "0.2,-0.1,0.05", "--out", out));
    command.addAll(List.of("--set", "localisation.particles=500"));
    drivers.subscribe("/amcl_pose", PoseWithCovarianceStamped.TYPE, found::add);
    drivers.subscribe("/map", RosOccupancyGrid.TYPE, TopicQos.LATCHED, maps::add);
    drivers.subscribe("/particlecloud", PoseArray.TYPE, clouds::add);
    drivers.subscribe("/particle_cloud", RosParticleCloud.TYPE, nav2Clouds::add);
    RosNode.Publisher<PoseWithCovarianceStamped> operator =
        drivers.advertise("/initialpose", PoseWithCovarianceStamped.TYPE, false);
    RosRobot robot = new RosRobot(drivers);
    Path said = folder.resolve("gateway.out");
    Process gateway = CartostreamProcess.start(said, environment, command.toArray());
    try {
      await().atMost(SOON).until(robot::hasSubscribers);
      robot.publishLaserMount(office.readings().get(0).scan().mount());
      drive(robot, 0, DRIVEN);
      assertFound(DRIVEN - 1);
      assertParticlesAreThere();
      await().atMost(SOON).until(() -> operator.subscribers() == 1);
      operator.send(said(truth(0), 0.01)); // Where it was long ago.
      drive(robot, DRIVEN, DRIVEN + 3);
      await().atMost(SOON).until(() -> found.size() == DRIVEN + 3);
      // Until a scan that does not fit there has it look for the robot elsewhere, at the next one.
      assertThat(found.subList(DRIVEN, DRIVEN + 3)).anyMatch(pose -> errorMetres(pose) > 1);
      Pose here = truth(DRIVEN + 2);
      operator.send(said(new Pose(here.x() + 0.3, here.y() - 0.2, here.theta()), 0.5));
      drive(robot, DRIVEN + 3, 2 * DRIVEN);
      assertFound(2 * DRIVEN - 1);
      assertThat(maps).hasSize(1);
      assertThat(maps.get(0).data()).isEqualTo(ServerMap.read(map).grid().cells());
      ending.run();
      gateway.destroy(); // As Ctrl-C.
      assertThat(gateway.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      gateway.destroyForcibly();
    }
    assertThat(Files.readString(said))
        .containsPattern("\\d+ scans read: [1-9]\\d* processed, .* 0 lost");
    assertThat(out.resolve("map.yaml")).doesNotExist();
  }

  /**
   * As RViz's button has it.
   *
   * @param metres standard deviation
   */
  private static PoseWithCovarianceStamped said(Pose pose, double metres) {
    double[] covariance = new double[36];
    covariance[0] = metres * metres;
    covariance[7] = metres * metres;
    covariance[35] = 0.07;
    return new PoseWithCovarianceStamped(
        new Header(0, 0, "map"),
        new PoseWithCovariance(RigidTransform.of(pose).rosPose(), covariance));
  }
}
