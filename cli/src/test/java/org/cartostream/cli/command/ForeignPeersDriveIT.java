package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.gateway.sink.LivePoses;
import org.cartostream.ros.local.LocalCyclone;
import org.cartostream.ros.local.LocalFastDds;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.local.PrintedLines;
import org.cartostream.ros.local.TwoHosts;
import org.cartostream.ros.node.RosNode;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.ros.RosRobot;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One drive through the simulated office, of the same scans at the same stamps: over ROS 1, and in
 * ROS 2's graph by two robots whose DDS is not ours. These are on another host than the gateway,
 * and get the map.
 */
@Nightly
@Timeout(900)
class ForeignPeersDriveIT {

  private static final Duration SOON = Duration.ofMinutes(3);
  private static final int READINGS = 160;
  private static final long PERIOD_MILLIS = 100;

  /** By best effort one or two may be lost. */
  private static final int MIN_POSES = READINGS - 5;

  private static final double SAME_METRES = 0.005;
  private static final String MAP = "map [1-9]\\d* [1-9]\\d* .*";
  private static final int DOMAIN = 5;

  private static final Recording OFFICE =
      SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED).first(READINGS);

  private static final long START =
      TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() / 1000 * 1000);

  private static double errorOverRos1;

  @TempDir private Path folder;

  private static long stamp(int reading) {
    return START + TimeUnit.MILLISECONDS.toNanos(reading * PERIOD_MILLIS);
  }

  private static Object[] gateway(Path out, Object... graph) {
    Object[] fixed = {
      "gateway",
      "--robot",
      "r",
      "--out",
      out,
      "--set",
      "slam.particles=20",
      "--set",
      "topology.mapIntervalSeconds=1",
      "--set",
      "gateway.waitingKeyFrames=1000",
      "--set",
      "ros.odometryWaitMillis=60000"
    };
    return Stream.of(fixed, graph).flatMap(Stream::of).toArray();
  }

  @BeforeAll
  static void driveOverRos1(@TempDir Path folder) throws Exception {
    LocalRosMaster.missing().or(TwoHosts::missing).ifPresent(why -> Assumptions.abort(why));
    Path out = folder.resolve("out");
    try (LocalRosMaster ros = LocalRosMaster.started();
        RosNode drivers = ros.node("drivers")) {
      Process process =
          CartostreamProcess.start(
              folder.resolve("gateway.txt"),
              Map.of("ROS_IP", "127.0.0.1"),
              gateway(out, "--ros", ros.uri()));
      try {
        RosRobot robot = new RosRobot(drivers);
        await().atMost(SOON).until(robot::hasSubscribers);
        robot.publishLaserMount(OFFICE.readings().get(0).scan().mount());
        for (int i = 0; i < READINGS; i++) {
          Reading reading = OFFICE.readings().get(i);
          robot.publishOdometry(stamp(i) - 5_000_000, reading.odometry());
          robot.publishScan(stamp(i), reading.scan());
          robot.publishOdometry(stamp(i) + 5_000_000, reading.odometry());
          TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
        }
        errorOverRos1 = errorMetres(process, folder.resolve("gateway.txt"), out);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  /** Of a run that is over when its last scan is answered. */
  private static double errorMetres(Process gateway, Path said, Path out) throws Exception {
    await().atMost(SOON).until(() -> isAnswered(out));
    gateway.destroy(); // As Ctrl-C.
    assertThat(gateway.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    List<StampedPose> path = TumFile.read(out.resolve(FileSink.TRAJECTORY));
    assertThat(path).as(Files.readString(said)).hasSizeGreaterThan(MIN_POSES);
    List<StampedPose> truth =
        IntStream.range(0, READINGS)
            .mapToObj(i -> new StampedPose(stamp(i), OFFICE.reference().get(i).pose()))
            .toList();
    double metres = TrajectoryError.of(path, truth).rmseMetres();
    System.out.printf("%d poses, ATE %.4f m%n", path.size(), metres);
    return metres;
  }

  private static boolean isAnswered(Path out) throws IOException {
    Path poses = out.resolve(LivePoses.FILE);
    if (!Files.exists(poses)) {
      return false;
    }
    List<String> lines = PrintedLines.of(poses);
    double last = Double.parseDouble(lines.get(lines.size() - 1).split(" ")[0]);
    return last > stamp(MIN_POSES) / 1e9;
  }

  private static List<Reading> drive() {
    return IntStream.range(0, READINGS)
        .mapToObj(
            i -> {
              Reading reading = OFFICE.readings().get(i);
              return new Reading(stamp(i), reading.odometry(), reading.scan());
            })
        .toList();
  }

  private void isMappedAsWellAsOverRos1(TwoHosts hosts, Supplier<List<String>> said)
      throws Exception {
    Path out = folder.resolve("out");
    Path printed = folder.resolve("gateway.txt");
    Process process =
        CartostreamProcess.startBehind(
            hosts.onFirst(),
            printed,
            Map.of("ROS_DOMAIN_ID", Integer.toString(DOMAIN)),
            gateway(out, "--ros2", "--interface", TwoHosts.FIRST_ADDRESS));
    try {
      await().atMost(SOON).until(() -> said.get().contains("driven " + READINGS));
      await().atMost(SOON).until(() -> said.get().stream().anyMatch(each -> each.matches(MAP)));
      List<Long> corrections = Corrections.millis(said.get());
      assertThat(corrections).hasSizeGreaterThan(100);
      Corrections.assertComeTwentyTimesASecond(corrections);
      assertThat(errorMetres(process, printed, out))
          .as("error; over ROS 1 it is %s m", errorOverRos1)
          .isCloseTo(errorOverRos1, within(SAME_METRES));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aDriveByCycloneDdsIsMappedAsWellAsOverRos1() throws Exception {
    LocalCyclone.missing().ifPresent(why -> Assumptions.abort(why));
    DriveFile.write(folder, drive());
    try (TwoHosts hosts = TwoHosts.up();
        LocalCyclone cyclone = new LocalCyclone(folder, DOMAIN, hosts.onSecond())) {
      cyclone.startAt("name=\"link0\"", "drive", "map", "tf");
      isMappedAsWellAsOverRos1(hosts, () -> cyclone.said("drive", "map", "tf"));
    }
  }

  @Test
  void aDriveByFastDdsIsMappedAsWellAsOverRos1() throws Exception {
    LocalFastDds.missing().ifPresent(why -> Assumptions.abort(why));
    DriveFile.write(folder, drive());
    try (TwoHosts hosts = TwoHosts.up();
        LocalFastDds fastDds = new LocalFastDds(folder, DOMAIN, hosts.onSecond())) {
      fastDds.start("peer", "drive");
      isMappedAsWellAsOverRos1(hosts, () -> fastDds.said("peer"));
    }
  }
}
