package org.cartostream.sim.ros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.message.DiagnosticStatus;
import org.cartostream.ros.message.KeyValue;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The road of a robot whose clock is 5 s ahead, with ROS's own tools at the end of it. The robot
 * drives once; the tests look at what came of it.
 */
@Default
class RosEndToEndIT {

  private static final int READINGS = 160;
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(125);
  private static final long AHEAD_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final Recording OFFICE =
      SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED).first(READINGS);

  private static RosTestBed road;
  private static RosTestBed.Pace pace;
  private static List<Long> correctedAtNanos;
  private static String echoedMap;
  private static String servedMap;
  private static String savedMap;
  private static List<String> savedFiles;
  private static String bag;
  private static String transforms;
  private static String summary;

  @BeforeAll
  static void drive() throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    LocalRosMaster ros = LocalRosMaster.started();
    road = RosTestBed.open(ros, Settings.defaults(GatewaySettings.class));
    Path file = ros.folder().resolve("road.bag");
    Process record =
        ros.tool("record", "rosbag", "record", "-O", file.toString(), "/tf", "/map", "/scan");
    await().atMost(RosTestBed.SOON).until(() -> Files.exists(Path.of(file + ".active")));
    Process listen = ros.script("tf", LISTENER);
    await().atMost(RosTestBed.SOON).until(() -> ros.said("tf").startsWith("listening"));
    driveOnce();
    road.awaitMapOf(pace.stamp(READINGS / 2));
    use(ros);
    summary = road.end();
    ros.interrupt(record);
    ros.interrupt(listen);
    transforms = ros.said("tf");
    Process read = ros.script("bag", countsOf(file));
    assertThat(read.waitFor(RosTestBed.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    bag = ros.said("bag");
  }

  @AfterAll
  static void close() throws Exception {
    if (road != null) {
      road.close();
    }
  }

  private static void driveOnce() throws InterruptedException {
    long start = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) + AHEAD_NANOS;
    pace = new RosTestBed.Pace(start, PERIOD_NANOS, PERIOD_NANOS);
    int before = road.correctedAtNanos.size();
    road.drive(OFFICE, 0, pace, reading -> {});
    correctedAtNanos =
        List.copyOf(road.correctedAtNanos.subList(before, road.correctedAtNanos.size()));
    road.robot().publishScan(pace.stamp(READINGS), blind());
    awaitDiagnosis("ALL_BEAMS_INVALID");
    leap();
    awaitDiagnosis("ODOMETRY_JUMP");
  }

  /** The odometry of one scan says that the robot is 100 m away. */
  private static void leap() {
    Reading last = OFFICE.readings().get(READINGS - 1);
    Pose away = new Pose(last.odometry().x() + 100, last.odometry().y(), last.odometry().theta());
    long shortly = PERIOD_NANOS / 20;
    road.robot().publishOdometry(pace.stamp(READINGS + 1) - shortly, away);
    road.robot().publishScan(pace.stamp(READINGS + 1), last.scan());
    road.robot().publishOdometry(pace.stamp(READINGS + 1) + shortly, away);
  }

  private static void awaitDiagnosis(String reason) {
    await()
        .atMost(RosTestBed.SOON)
        .until(
            () ->
                road.diagnoses.stream()
                    .flatMap(status -> status.values().stream())
                    .anyMatch(value -> value.key().equals(reason)));
  }

  private static Scan blind() {
    float[] ranges = new float[180];
    Arrays.fill(ranges, Float.NaN);
    return new Scan(Pose.ORIGIN, -1, 2.0 / 179, 0.05, 8, ranges);
  }

  private static void use(LocalRosMaster ros) throws Exception {
    Process echo = ros.tool("echo", "rostopic", "echo", "-n", "1", "/map/info");
    Process serve = ros.tool("serve", "rosservice", "call", "/dynamic_map");
    Process save = ros.tool("save", "rosservice", "call", "/cartostream/save_map");
    for (Process process : List.of(echo, serve, save)) {
      assertThat(process.waitFor(RosTestBed.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    echoedMap = ros.said("echo");
    servedMap = ros.said("serve");
    savedMap = ros.said("save");
    try (var files = Files.list(road.folder())) {
      savedFiles = files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Asks ROS's own tf2 again and again where the laser is on the map; stamp, x and y a line. */
  private static final String LISTENER =
      "import rospy, tf2_ros\n"
          + "rospy.init_node('listener')\n"
          + "buffer = tf2_ros.Buffer()\n"
          + "listener = tf2_ros.TransformListener(buffer)\n"
          + "print('listening')\n"
          + "before = None\n"
          + "while not rospy.is_shutdown():\n"
          + "    try:\n"
          + "        found = buffer.lookup_transform('map', 'base_scan', rospy.Time(0))\n"
          + "        stamp = found.header.stamp.to_nsec()\n"
          + "        at = found.transform.translation\n"
          + "        if stamp != before:\n"
          + "            print(stamp, at.x, at.y)\n"
          + "            before = stamp\n"
          + "    except tf2_ros.TransformException:\n"
          + "        pass\n"
          + "    rospy.rostime.wallsleep(0.05)\n";

  private static String countsOf(Path file) {
    return "import rosbag\n"
        + "for name, topic in sorted(rosbag.Bag('"
        + file
        + "').get_type_and_topic_info()[1].items()):\n"
        + "    print(name, topic.msg_type, 'some' if topic.message_count > 0 else 'none')\n";
  }

  private static TransformStamped newestCorrection() {
    return road.corrections.get(road.corrections.size() - 1);
  }

  @Test
  void rostopicReadsTheMap() {
    assertThat(echoedMap).contains("resolution: 0.0").contains("width: ").contains("origin:");
  }

  @Test
  void everyOccupiedCellOfTheMapLiesAtAWall() {
    road.assertMapShowsTheOffice(OFFICE.reference().get(0).pose());
  }

  /** A cell of the map; up to a rigid motion, as ATE is measured. */
  @Test
  void posesAreTheTrueOnes() throws Exception {
    List<StampedPose> estimate = road.estimate();
    List<StampedPose> reference =
        estimate.stream()
            .map(pose -> Math.toIntExact((pose.stampNanos() - pace.startNanos()) / PERIOD_NANOS))
            .map(i -> new StampedPose(pace.stamp(i), OFFICE.reference().get(i).pose()))
            .toList();
    assertThat(estimate.size()).isGreaterThan(READINGS / 4);
    assertThat(TrajectoryError.of(estimate, reference).rmseMetres()).isLessThan(0.05);
  }

  /** The last correction takes away most of odometry's error. */
  @Test
  void theTransformFromMapToOdomCorrectsOdometry() {
    TransformStamped correction = newestCorrection();
    assertThat(correction.header().frameId()).isEqualTo("map");
    int last = READINGS - 1;
    Pose odometry = OFFICE.readings().get(last).odometry();
    Pose corrected =
        RosTestBed.planar(correction.transform().translation(), correction.transform().rotation())
            .then(odometry);
    Pose truth = OFFICE.reference().get(0).pose().to(OFFICE.reference().get(last).pose());
    assertThat(corrected.distance(truth)).isLessThan(odometry.distance(truth) / 3);
  }

  @Test
  void tf2FindsTheLaserOnTheMap() {
    List<String[]> found =
        transforms
            .lines()
            .skip(1)
            .map(line -> line.split(" "))
            .filter(line -> Long.parseLong(line[0]) < pace.stamp(READINGS)) // before the leap
            .toList();
    assertThat(found).hasSizeGreaterThan(READINGS / 4);
    String[] last = found.get(found.size() - 1);
    int reading =
        (int) Math.round((Long.parseLong(last[0]) - pace.stamp(0)) / (double) PERIOD_NANOS);
    assertThat(reading).isBetween(READINGS / 2, READINGS - 1);
    Pose truth =
        OFFICE
            .reference()
            .get(0)
            .pose()
            .to(OFFICE.reference().get(reading).pose())
            .then(OFFICE.readings().get(reading).scan().mount());
    assertThat(Double.parseDouble(last[1])).isCloseTo(truth.x(), within(0.1));
    assertThat(Double.parseDouble(last[2])).isCloseTo(truth.y(), within(0.1));
  }

  /** As a rule: not while the machine stands still. */
  @Test
  void theTransformComesTwentyTimesASecond() {
    double[] gapsMillis =
        IntStream.range(1, correctedAtNanos.size())
            .mapToDouble(i -> (correctedAtNanos.get(i) - correctedAtNanos.get(i - 1)) / 1e6)
            .sorted()
            .toArray();
    assertThat(gapsMillis).hasSizeGreaterThan(READINGS / 2);
    assertThat(gapsMillis[gapsMillis.length / 2]).isBetween(40.0, 75.0);
  }

  /** By the robot's clock, or tf would not connect it with odometry. */
  @Test
  void theTransformIsStampedByTheRobotsClock() {
    TransformStamped correction = newestCorrection();
    long here = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    assertThat(correction.header().stamp() - pace.stamp(READINGS)).isPositive();
    assertThat(correction.header().stamp() - here).isLessThan(AHEAD_NANOS);
  }

  /** Not at any time: after a pause of the machine the robot's stamps are late for a while. */
  @Test
  void theSkewOfTheClocksIsReported() {
    assertThat(road.diagnoses)
        .filteredOn(each -> !value(each, "scans processed").equals("0"))
        .filteredOn(each -> value(each, "ALL_BEAMS_INVALID").isEmpty())
        .anySatisfy(
            each -> {
              assertThat(Double.parseDouble(value(each, "clock skew [s]"))).isBetween(4.9, 5.1);
              assertThat(value(each, "clocks"))
                  .matches("The robot's clock is (4\\.9|5\\.0|5\\.1) s ahead of the service's");
              assertThat(each.level()).isEqualTo(DiagnosticStatus.WARN);
            });
  }

  private static String value(DiagnosticStatus status, String key) {
    return status.values().stream()
        .filter(each -> each.key().equals(key))
        .map(KeyValue::value)
        .findFirst()
        .orElse("");
  }

  /** Between that of one particle with all the weight and that of equal weights, in nats. */
  @Test
  void theEntropyOfTheWeightsIsPublished() {
    assertThat(road.entropies)
        .hasSize(road.poses.size())
        .allSatisfy(each -> assertThat(each).isBetween(0.0, Math.log(RosTestBed.PARTICLES) + 1e-9))
        .anySatisfy(each -> assertThat(each).isGreaterThan(1));
  }

  @Test
  void aBlindScanIsRefusedWithItsReason() {
    assertThat(summary).contains("ALL_BEAMS_INVALID=1").contains("0 lost");
    assertThat(road.diagnoses).anyMatch(status -> tells(status, "No beam of the scan is usable"));
  }

  @Test
  void aLeapOfTheOdometryIsRefusedWithItsReason() {
    assertThat(summary).contains("2 refused").contains("ODOMETRY_JUMP=1");
    assertThat(road.diagnoses).anyMatch(status -> tells(status, "The odometry jumped farther"));
  }

  /** When the machine stood still, it is told in the first place that no scan has come. */
  private static boolean tells(DiagnosticStatus status, String why) {
    boolean silent = status.message().startsWith("No scan has come");
    return (silent ? value(status, "last reason") : status.message()).startsWith(why);
  }

  @Test
  void everyScanHasOneFate() {
    long[] numbers =
        Arrays.stream(summary.replaceAll("\\{.*", "").split("\\D+"))
            .mapToLong(Long::parseLong)
            .toArray();
    assertThat(numbers[0]).isEqualTo(READINGS + 2L);
    assertThat(numbers[1] + numbers[2] + numbers[3] + numbers[4]).isEqualTo(numbers[0]);
  }

  @Test
  void theMapIsServedAndSaved() {
    assertThat(servedMap).contains("data: [");
    assertThat(savedMap).contains("success: True").contains("map.yaml");
    assertThat(savedFiles).contains("map.pgm", "map.yaml");
  }

  @Test
  void rosbagRecordsTheRoad() {
    assertThat(bag)
        .contains("/map nav_msgs/OccupancyGrid some")
        .contains("/scan sensor_msgs/LaserScan some")
        .contains("/tf tf2_msgs/TFMessage some");
  }
}
