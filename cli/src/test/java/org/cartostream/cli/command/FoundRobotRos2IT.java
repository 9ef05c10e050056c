package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.ros.local.LocalCyclone;
import org.cartostream.ros.message.PoseStamped;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.MasterMonitor;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.ros2.Ros2Environment;
import org.cartostream.ros.ros2.Ros2Node;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A robot in ROS 2's graph, whose DDS is not ours, begins somewhere in the map of another day, with
 * odometry that begins anew: it is found, and from then on its poses are in that map's frame.
 */
@Nightly
@Timeout(900)
class FoundRobotRos2IT {

  private static final Duration SOON = Duration.ofMinutes(5);
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final String DOMAIN = "75";

  /** It begins where it took this one of the office's readings. */
  private static final int FIRST = 20;

  private static final int DRIVEN = 100;

  /** By best effort one or two may be lost. */
  private static final int LOST = 5;

  private static final double NEAR_METRES = 0.15;
  private static final Pattern BEGINS =
      Pattern.compile("found: the run begins at (\\S+),(\\S+),(\\S+) in '.*run\\.state'");

  @TempDir private Path folder;

  private final List<PoseStamped> poses = new CopyOnWriteArrayList<>();
  private final List<TransformStamped> corrections = new CopyOnWriteArrayList<>();

  /** So the robot's clock is behind by what its map takes to be made; that is no matter. */
  private final long start =
      TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() / 1000 * 1000);

  private long stamp(int driven) {
    return start + driven * PERIOD_NANOS;
  }

  /** Which of the readings that were driven has the stamp. */
  private int driven(long stampNanos) {
    return Math.toIntExact(Math.round((stampNanos - start) / (double) PERIOD_NANOS));
  }

  /** The wheels count from where the robot was switched on. */
  private static Pose odometry(int driven) {
    Pose first = MappedOffice.OFFICE.readings().get(FIRST).odometry();
    return first.to(MappedOffice.OFFICE.readings().get(FIRST + driven).odometry());
  }

  private static double errorMetres(Pose pose, int driven) {
    return pose.distance(MappedOffice.truth(FIRST + driven));
  }

  private List<Reading> drive() {
    return IntStream.range(0, DRIVEN)
        .mapToObj(
            i ->
                new Reading(
                    stamp(i), odometry(i), MappedOffice.OFFICE.readings().get(FIRST + i).scan()))
        .toList();
  }

  @Test
  void aRobotOfAnotherDdsIsFoundInTheMapOfAnotherDay() throws Exception {
    LocalCyclone.missing().ifPresent(why -> Assumptions.abort(why));
    Path state = MappedOffice.mapped(folder).resolve("run.state");
    DriveFile.write(folder, drive());
    Map<String, String> environment =
        Map.of("ROS_DOMAIN_ID", DOMAIN, "ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST");
    Path printed = folder.resolve("gateway.txt");
    Process gateway =
        CartostreamProcess.start(
            printed,
            environment,
            "gateway",
            "--robot",
            MappedOffice.ROBOT,
            "--ros2",
            "--continue",
            state,
            "--at",
            "anywhere",
            "--out",
            folder.resolve("out"),
            "--set",
            "slam.particles=" + MappedOffice.PARTICLES,
            "--set",
            "topology.mapIntervalSeconds=1",
            "--set",
            "gateway.waitingKeyFrames=1000",
            "--set",
            "ros.odometryWaitMillis=60000");
    try (LocalCyclone cyclone = new LocalCyclone(folder, Integer.parseInt(DOMAIN));
        RosNode listener =
            Ros2Node.start(
                Ros2Environment.access(environment, "127.0.0.1"),
                new GraphNames("/", "listener", Map.of()),
                new MasterMonitor())) {
      listener.subscribe("/cartostream/pose", PoseStamped.TYPE, poses::add);
      listener.subscribe("/tf", TfMessage.TYPE, this::take);
      cyclone.start("drive", "map", "pose", "tf");
      await().atMost(SOON).until(() -> said(cyclone).contains("driven " + DRIVEN));
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(poses)
                      .anyMatch(each -> driven(each.header().stamp()) >= DRIVEN - LOST));
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                assertThat(said(cyclone)).contains("pose map 1.0");
                assertThat(said(cyclone)).anyMatch(each -> each.matches("map \\d+ \\d+ map \\d+"));
                assertThat(Corrections.millis(said(cyclone))).isNotEmpty();
              });
      assertPosesAreInTheOldMap();
      gateway.destroy(); // As Ctrl-C.
      assertThat(gateway.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      gateway.destroyForcibly();
      System.out.println(Files.readString(printed));
    }
    assertItWasLookedFor(Files.readString(printed));
  }

  private static List<String> said(LocalCyclone cyclone) {
    return cyclone.said("drive", "map", "pose", "tf");
  }

  private void take(TfMessage message) {
    message.transforms().stream()
        .filter(each -> each.header().frameId().equals("map"))
        .forEach(corrections::add);
  }

  /** Those of the scans that waited while it was looked for, too. */
  private void assertPosesAreInTheOldMap() {
    double far = 0;
    for (PoseStamped each : poses) {
      Pose pose = RigidTransform.of(each.pose()).planar();
      far = Math.max(far, errorMetres(pose, driven(each.header().stamp())));
    }
    TransformStamped newest = corrections.get(corrections.size() - 1);
    Pose mapToOdom = RigidTransform.of(newest.transform()).planar();
    double last = errorMetres(mapToOdom.then(odometry(DRIVEN - 1)), DRIVEN - 1);
    System.out.printf(
        "%.3f m from the truth, at most, %d poses; by the newest correction %.3f m%n",
        far, poses.size(), last);
    assertThat(poses).hasSizeGreaterThanOrEqualTo(DRIVEN - LOST);
    assertThat(driven(poses.get(0).header().stamp())).isLessThan(LOST);
    assertThat(far).isLessThan(NEAR_METRES);
    assertThat(last).isLessThan(NEAR_METRES);
  }

  private void assertItWasLookedFor(String text) {
    assertThat(text)
        .contains("looking for the robot in '")
        .containsPattern("\\d+ scans read: [1-9]\\d* processed, .* 0 lost");
    Matcher begins = BEGINS.matcher(text);
    assertThat(begins.find()).isTrue();
    Pose found =
        new Pose(
            Double.parseDouble(begins.group(1)),
            Double.parseDouble(begins.group(2)),
            Double.parseDouble(begins.group(3)));
    assertThat(errorMetres(found, 0)).isLessThan(NEAR_METRES);
    assertThat(folder.resolve("out/run.state")).exists();
  }
}
