package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.ros.local.LocalCyclone;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.local.LocalRosbridge;
import org.cartostream.ros.message.Float64;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.MasterMonitor;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.rosbridge.RosbridgeNode;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.ros.RosRobot;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Nightly
@Timeout(180)
class GatewayCommandIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  private static final int SERVED_PARTICLES = 5;

  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  @Test
  void mapsWhileARobotDrivesAsALaunchFileAsks() throws Exception {
    mapsWhileARobotDrives();
  }

  @Test
  void mapsWithAServiceThatRunsByItself() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      mapsWithAServiceThatRunsByItself("--broker", broker.uri());
    }
  }

  /** A broker in the file is one as much as a broker among the flags. */
  @Test
  void mapsWithAServiceThatRunsByItselfAtTheConfiguredBroker(@TempDir Path folder)
      throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      Path file = folder.resolve("there.yaml");
      Files.writeString(file, "broker:\n  uri: " + broker.uri() + "\n");
      mapsWithAServiceThatRunsByItself("--config", file);
    }
  }

  /** Its particles are fewer than the gateway's launch file asks for: it is not the gateway's. */
  private static void mapsWithAServiceThatRunsByItself(Object... there) throws Exception {
    ShutdownRequest stop = new ShutdownRequest();
    Object[] command = {"service", "--particles", SERVED_PARTICLES, "--tasks", 2};
    CompletableFuture<Cartostream> service =
        CompletableFuture.supplyAsync(
            () -> Cartostream.run(stop, Stream.of(command, there).flatMap(Stream::of).toArray()));
    List<Float64> effective = mapsWhileARobotDrives(there);
    stop.request(130);
    Cartostream ended = service.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(ended.exitCode()).isEqualTo(130);
    assertThat(ended.out()).startsWith("the service 'service' runs");
    assertThat(effective)
        .isNotEmpty()
        .allSatisfy(neff -> assertThat(neff.data()).isLessThan(SERVED_PARTICLES + 0.5));
  }

  @Test
  void mapsARobotOfRos2ThroughRosbridge(@TempDir Path folder) throws Exception {
    LocalRosbridge.missing().ifPresent(why -> Assumptions.abort(why));
    try (LocalRosbridge bridge = LocalRosbridge.started(folder);
        RosNode drivers =
            RosbridgeNode.start(
                bridge.uri(), new GraphNames("/", "drivers", Map.of()), new MasterMonitor())) {
      maps(drivers, "--rosbridge", bridge.uri(), "--out", folder.resolve("tb3"));
    }
    assertThat(folder.resolve("tb3")).isDirectoryContaining("glob:**trajectory.tum");
  }

  /** What the robot sends and what takes the map are Cyclone DDS, which is not ours. */
  @Test
  void mapsARobotOfRos2(@TempDir Path folder) throws Exception {
    LocalCyclone.missing().ifPresent(why -> Assumptions.abort(why));
    int domain = 72;
    Path parameters =
        Files.writeString(
            folder.resolve("slam.yaml"),
            """
            slam_toolbox:
              ros__parameters:
                mode: mapping
                scan_topic: /scan
                map_update_interval: 0.5
                minimum_travel_distance: 0.0
                minimum_travel_heading: 0.0
                solver_plugin: solver_plugins::CeresSolver
            """);
    Path out = folder.resolve("gateway.out");
    Process gateway =
        CartostreamProcess.start(
            out,
            Map.of(
                "ROS_DOMAIN_ID",
                Integer.toString(domain),
                "ROS_AUTOMATIC_DISCOVERY_RANGE",
                "LOCALHOST"),
            "gateway",
            "--robot",
            "tb4",
            "--ros2",
            "--params-file",
            parameters,
            "--param",
            "particles:=5",
            "--out",
            folder.resolve("tb4"));
    try (LocalCyclone cyclone = new LocalCyclone(folder, domain)) {
      cyclone.start("robot", "map", "tf");
      await()
          .atMost(SOON)
          .until(
              () -> said(cyclone, "map \\d+ \\d+ map \\d+") && said(cyclone, "tf map odom \\d+"));
      cyclone.start("late");
      await().atMost(SOON).until(() -> !cyclone.said("late").isEmpty());
      cyclone.start("metadata", "pose", "diagnostics");
      for (String line :
          List.of("metadata True True 0.05", "pose map 1.0", "diagnostics tb4 True")) {
        await()
            .atMost(SOON)
            .until(() -> cyclone.said("metadata", "pose", "diagnostics").contains(line));
      }
      await().atMost(SOON).until(() -> corrections(cyclone).size() > 100);
      Corrections.assertComeTwentyTimesASecond(corrections(cyclone));
      cyclone.start("save");
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(cyclone.said("save"))
                      .containsExactly("saved 4712 1 0", "saved 4712 2 255"));
      gateway.destroy(); // As Ctrl-C.
      assertThat(gateway.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      gateway.destroyForcibly();
    }
    assertThat(Files.readString(out))
        .contains("parameters without a meaning here: [solver_plugin]")
        .containsPattern("\\d+ scans read: [1-9]\\d* processed, 0 refused");
    assertThat(folder.resolve("tb4"))
        .isDirectoryContaining("glob:**trajectory.tum")
        .isDirectoryContaining("glob:**floor.pgm")
        .isDirectoryContaining("glob:**floor.yaml");
  }

  private static List<Long> corrections(LocalCyclone cyclone) {
    return Corrections.millis(cyclone.said("robot", "map", "tf"));
  }

  private static boolean said(LocalCyclone cyclone, String pattern) {
    return cyclone.said("robot", "map", "tf").stream().anyMatch(each -> each.matches(pattern));
  }

  private static List<Float64> mapsWhileARobotDrives(Object... more) throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    try (LocalRosMaster ros = LocalRosMaster.started();
        RosNode drivers = ros.node("drivers")) {
      Object[] master = {"--ros", ros.uri()};
      return maps(drivers, Stream.of(master, more).flatMap(Stream::of).toArray());
    }
  }

  /** How many particles counted, per reading. */
  private static List<Float64> maps(RosNode drivers, Object... where) throws Exception {
    List<RosOccupancyGrid> maps = new CopyOnWriteArrayList<>();
    List<Float64> effective = new CopyOnWriteArrayList<>();
    ShutdownRequest shutdownRequest = new ShutdownRequest();
    drivers.subscribe("/slam_map", RosOccupancyGrid.TYPE, maps::add);
    drivers.subscribe("/cartostream/neff", Float64.TYPE, effective::add);
    RosRobot robot = new RosRobot(drivers);
    CompletableFuture<Cartostream> command =
        CompletableFuture.supplyAsync(() -> Cartostream.run(shutdownRequest, command(where)));
    await().atMost(SOON).until(robot::hasSubscribers);
    drive(robot, maps);
    shutdownRequest.request(130);
    Cartostream ended = command.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.exitCode()).isEqualTo(130);
    assertThat(ended.out()).matches("(?s)\\d+ scans read: [1-9]\\d* processed, .* 0 lost.*");
    assertThat(maps.get(0).header().frameId()).isEqualTo("map");
    assertThat(maps.get(0).data()).contains((byte) 100);
    return effective;
  }

  private static Object[] command(Object... where) {
    Object[] fixed = {
      "gateway",
      "--robot",
      "tb3",
      "__name:=slam_gmapping",
      "map:=slam_map",
      "_map_update_interval:=1.0",
      "_particles:=10",
      "_sigma:=0.05"
    };
    return Stream.of(fixed, where).flatMap(Stream::of).toArray();
  }

  /** Until there is a map; then it stands still. */
  private static void drive(RosRobot robot, List<RosOccupancyGrid> maps) throws Exception {
    Recording office = SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED);
    robot.publishLaserMount(office.readings().get(0).scan().mount());
    long start = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    var next = office.readings().iterator();
    var stamps =
        java.util.stream.LongStream.iterate(start, stamp -> stamp + PERIOD_NANOS).iterator();
    await()
        .atMost(SOON)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofNanos(PERIOD_NANOS))
        .until(
            () -> {
              Reading reading = next.next();
              long stamp = stamps.next();
              robot.publishOdometry(stamp, reading.odometry());
              robot.publishScan(stamp, reading.scan());
              return !maps.isEmpty();
            });
  }

  /** Else a supervisor would not start it again. */
  @Test
  void failsWhenAnotherNodeTakesItsName() throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        LocalRosMaster ros = LocalRosMaster.started()) {
      Object[] command = {"gateway", "--robot", "r", "--ros", ros.uri(), "--broker", broker.uri()};
      CompletableFuture<Cartostream> gateway =
          CompletableFuture.supplyAsync(() -> Cartostream.run(new ShutdownRequest(), command));
      try (RosNode drivers = ros.node("drivers")) {
        RosRobot robot = new RosRobot(drivers);
        await().atMost(SOON).until(robot::hasSubscribers);
        try (RosNode twin = ros.node("cartostream")) {
          twin.advertise("/other", Float64.TYPE, false);
          Cartostream ended = gateway.get(SOON.toSeconds(), TimeUnit.SECONDS);
          assertThat(ended.exitCode()).isEqualTo(1);
          assertThat(ended.complaint()).containsAnyOf("same name", "has taken the name");
          assertThat(ended.out()).contains("0 scans read");
        }
      }
    }
  }
}
