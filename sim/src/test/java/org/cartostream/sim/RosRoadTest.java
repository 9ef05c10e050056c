package org.cartostream.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.EmbeddedBroker;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.ros.MasterWatch;
import org.cartostream.gateway.ros.RosGateway;
import org.cartostream.gateway.ros.RosSettings;
import org.cartostream.gateway.ros.client.GraphNames;
import org.cartostream.gateway.ros.client.RosNode;
import org.cartostream.gateway.ros.client.TcpRosNode;
import org.cartostream.gateway.ros.local.LocalRosMaster;
import org.cartostream.gateway.ros.message.DiagnosticArray;
import org.cartostream.gateway.ros.message.DiagnosticStatus;
import org.cartostream.gateway.ros.message.KeyValue;
import org.cartostream.gateway.ros.message.OccupancyGridMessage;
import org.cartostream.gateway.ros.message.PoseStamped;
import org.cartostream.gateway.ros.message.Quaternion;
import org.cartostream.gateway.ros.message.TfMessage;
import org.cartostream.gateway.ros.message.TransformStamped;
import org.cartostream.gateway.ros.message.Vector3;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.StampedPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.topology.LocalService;
import org.cartostream.topology.ServiceSettings;
import org.cartostream.topology.TopologySettings;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The whole road of a live robot: a real ROS master, a simulated robot whose clock is 5 s ahead,
 * the gateway, the embedded broker and the service in Storm's local cluster, and ROS's own tools at
 * the end of it. The robot drives once; the tests look at what came of it.
 */
class RosRoadTest {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int READINGS = 160;
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(125);
  private static final long AHEAD_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final Comparator<StampedPose> BY_STAMP =
      Comparator.comparingLong(StampedPose::stampNanos);

  /** The whole map may be turned by what the first scans leave open: a degree over 10 m. */
  private static final double WALL_METRES = 0.25;

  private static final Recording OFFICE =
      SimulatedLog.of(World.office(), Tour.office(), SimulatedLog.SEED).first(READINGS);

  private static final List<OccupancyGridMessage> MAPS = new CopyOnWriteArrayList<>();
  private static final List<PoseStamped> POSES = new CopyOnWriteArrayList<>();
  private static final List<TransformStamped> CORRECTIONS = new CopyOnWriteArrayList<>();
  private static final List<DiagnosticStatus> DIAGNOSES = new CopyOnWriteArrayList<>();

  private static long startNanos;
  private static double driveSeconds;
  private static int correctionsInDrive;
  private static String echoedMap;
  private static String servedMap;
  private static String savedMap;
  private static List<String> savedFiles;
  private static String bag;
  private static String summary;

  @BeforeAll
  static void drive() throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    try (LocalRosMaster ros = LocalRosMaster.started();
        EmbeddedBroker broker = EmbeddedBroker.start();
        LocalService service = LocalService.start(settings(broker.uri()));
        RosNode drivers = node(ros, "drivers");
        RosNode observer = node(ros, "observer")) {
      observe(observer);
      RosRobot robot = new RosRobot(drivers);
      MasterWatch master = new MasterWatch();
      Path folder = ros.folder().resolve("maps");
      BrokerSettings at = BrokerSettings.defaults().withUri(broker.uri());
      try (RosNode node =
              TcpRosNode.start(
                  ros.uri(),
                  new GraphNames("/", "cartostream", Map.of()),
                  ros.environment(),
                  master);
          RosGateway gateway =
              RosGateway.open(
                  node,
                  master,
                  "tb3",
                  GatewaySettings.defaults(),
                  RosSettings.defaults(),
                  folder,
                  outages -> BrokerConnection.open(at, "gateway of tb3", outages))) {
        Thread run = new Thread(() -> runGateway(gateway), "gateway of tb3");
        run.start();
        await().atMost(SOON).until(robot::isHeard);
        Path file = ros.folder().resolve("road.bag");
        Process record =
            ros.tool("record", "rosbag", "record", "-O", file.toString(), "/tf", "/map", "/scan");
        await().atMost(SOON).until(() -> Files.exists(Path.of(file + ".active")));
        drive(robot);
        await()
            .atMost(SOON)
            .until(() -> !MAPS.isEmpty() && newest(MAPS).header().stamp() >= stamp(READINGS / 2));
        use(ros, folder);
        gateway.stop();
        run.join(SOON.toMillis());
        summary = gateway.summary();
        ros.interrupt(record);
        Process read = ros.script("bag", countsOf(file));
        assertThat(read.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        bag = ros.said("bag");
      }
    }
  }

  private static void runGateway(RosGateway gateway) {
    try {
      gateway.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ServiceSettings settings(String uri) {
    return new ServiceSettings(
        Settings.build(FilterSettings.class, Map.of("particles", "20")),
        BrokerSettings.defaults().withUri(uri),
        Settings.build(TopologySettings.class, Map.of("mapIntervalSeconds", "2")));
  }

  private static RosNode node(LocalRosMaster ros, String name) {
    return TcpRosNode.start(
        ros.uri(), new GraphNames("/", name, Map.of()), ros.environment(), new MasterWatch());
  }

  private static void observe(RosNode observer) {
    observer.subscribe("/map", OccupancyGridMessage.TYPE, MAPS::add);
    observer.subscribe("/cartostream/pose", PoseStamped.TYPE, POSES::add);
    observer.subscribe(
        "/diagnostics", DiagnosticArray.TYPE, message -> DIAGNOSES.addAll(message.status()));
    observer.subscribe(
        "/tf",
        TfMessage.TYPE,
        message ->
            message.transforms().stream()
                .filter(each -> each.childFrameId().equals("odom"))
                .forEach(CORRECTIONS::add));
  }

  /** Odometry comes shortly before and after each scan, never at its stamp: as wheels do it. */
  private static void drive(RosRobot robot) throws Exception {
    robot.mount(OFFICE.readings().get(0).scan().mount());
    startNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) + AHEAD_NANOS;
    int before = CORRECTIONS.size();
    long began = System.nanoTime();
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    try {
      for (int i = 0; i < READINGS; i++) {
        int reading = i;
        clock.schedule(() -> step(robot, reading), i * PERIOD_NANOS, TimeUnit.NANOSECONDS);
      }
      clock.shutdown();
      assertThat(clock.awaitTermination(READINGS, TimeUnit.SECONDS)).isTrue();
    } finally {
      clock.shutdownNow();
    }
    driveSeconds = (System.nanoTime() - began) / 1e9;
    correctionsInDrive = CORRECTIONS.size() - before;
    robot.scan(stamp(READINGS), blind());
    await()
        .atMost(SOON)
        .until(
            () ->
                DIAGNOSES.stream()
                    .flatMap(status -> status.values().stream())
                    .anyMatch(value -> value.key().equals("ALL_BEAMS_INVALID")));
  }

  private static void step(RosRobot robot, int i) {
    Reading reading = OFFICE.readings().get(i);
    Pose pose = reading.odometry();
    long shortly = PERIOD_NANOS / 20;
    robot.odometry(stamp(i) - shortly, pose);
    robot.scan(stamp(i), reading.scan());
    robot.odometry(stamp(i) + shortly, pose);
  }

  private static long stamp(int i) {
    return startNanos + i * PERIOD_NANOS;
  }

  private static Scan blind() {
    float[] ranges = new float[180];
    Arrays.fill(ranges, Float.NaN);
    return new Scan(Pose.ORIGIN, -1, 2.0 / 179, 0.05, 8, ranges);
  }

  private static void use(LocalRosMaster ros, Path folder) throws Exception {
    Process echo = ros.tool("echo", "rostopic", "echo", "-n", "1", "/map/info");
    Process serve = ros.tool("serve", "rosservice", "call", "/dynamic_map");
    Process save = ros.tool("save", "rosservice", "call", "/cartostream/save_map");
    for (Process process : List.of(echo, serve, save)) {
      assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    echoedMap = ros.said("echo");
    servedMap = ros.said("serve");
    savedMap = ros.said("save");
    try (var files = Files.list(folder)) {
      savedFiles = files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static String countsOf(Path file) {
    return "import rosbag\n"
        + "for name, topic in sorted(rosbag.Bag('"
        + file
        + "').get_type_and_topic_info()[1].items()):\n"
        + "    print(name, topic.msg_type, 'some' if topic.message_count > 0 else 'none')\n";
  }

  private static <T> T newest(List<T> all) {
    return all.get(all.size() - 1);
  }

  @Test
  void rostopicReadsTheMap() {
    assertThat(echoedMap).contains("resolution: 0.0").contains("width: ").contains("origin:");
  }

  @Test
  void everyOccupiedCellOfTheMapLiesAtAWall() {
    OccupancyGridMessage map = newest(MAPS);
    Pose start = OFFICE.reference().get(0).pose();
    int occupied = 0;
    int astray = 0;
    for (int i = 0; i < map.data().length; i++) {
      assertThat(map.data()[i]).isIn((byte) -1, (byte) 0, (byte) 100);
      if (map.data()[i] == 100) {
        occupied++;
        if (distanceToWall(start.then(centre(map, i))) > WALL_METRES) {
          astray++;
        }
      }
    }
    assertThat(occupied).isGreaterThan(300);
    assertThat(astray).isLessThan(occupied / 50);
  }

  private static Pose centre(OccupancyGridMessage map, int cell) {
    int width = (int) map.info().width();
    Vector3 origin = map.info().origin().position();
    return new Pose(
        origin.x() + (cell % width + 0.5) * map.info().resolution(),
        origin.y() + (cell / width + 0.5) * map.info().resolution(),
        0);
  }

  private static double distanceToWall(Pose point) {
    double nearest = Double.POSITIVE_INFINITY;
    for (World.Wall wall : World.office().walls()) {
      double alongX = wall.toX() - wall.fromX();
      double alongY = wall.toY() - wall.fromY();
      double share =
          ((point.x() - wall.fromX()) * alongX + (point.y() - wall.fromY()) * alongY)
              / (alongX * alongX + alongY * alongY);
      double within = Math.max(0, Math.min(1, share));
      nearest =
          Math.min(
              nearest,
              Math.hypot(
                  point.x() - wall.fromX() - within * alongX,
                  point.y() - wall.fromY() - within * alongY));
    }
    return nearest;
  }

  /** The bound of the issue; up to a rigid motion, as ATE is measured. */
  @Test
  void posesAreTheTrueOnes() throws Exception {
    List<StampedPose> estimate = POSES.stream().map(RosRoadTest::stamped).sorted(BY_STAMP).toList();
    List<StampedPose> reference =
        estimate.stream()
            .map(pose -> Math.toIntExact((pose.stampNanos() - startNanos) / PERIOD_NANOS))
            .map(i -> new StampedPose(stamp(i), OFFICE.reference().get(i).pose()))
            .toList();
    assertThat(estimate.size()).isGreaterThan(READINGS / 4);
    assertThat(TrajectoryError.of(estimate, reference).rmseMetres()).isLessThan(0.05);
  }

  private static StampedPose stamped(PoseStamped message) {
    Pose pose = planar(message.pose().position(), message.pose().orientation());
    return new StampedPose(message.header().stamp(), pose);
  }

  /** The last correction takes away most of odometry's error. */
  @Test
  void theTransformFromMapToOdomCorrectsOdometry() {
    TransformStamped correction = newest(CORRECTIONS);
    assertThat(correction.header().frameId()).isEqualTo("map");
    int last = READINGS - 1;
    Pose odometry = OFFICE.readings().get(last).odometry();
    Pose corrected =
        planar(correction.transform().translation(), correction.transform().rotation())
            .then(odometry);
    Pose truth = OFFICE.reference().get(0).pose().to(OFFICE.reference().get(last).pose());
    assertThat(corrected.distance(truth)).isLessThan(odometry.distance(truth) / 3);
  }

  @Test
  void theTransformComesTwentyTimesASecond() {
    assertThat(correctionsInDrive / driveSeconds).isBetween(15.0, 21.0);
  }

  /** By the robot's clock, or tf would not connect it with odometry. */
  @Test
  void theTransformIsStampedByTheRobotsClock() {
    TransformStamped correction = CORRECTIONS.get(CORRECTIONS.size() - 1);
    long here = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    assertThat(correction.header().stamp() - stamp(READINGS)).isPositive();
    assertThat(correction.header().stamp() - here).isLessThan(AHEAD_NANOS);
  }

  @Test
  void theSkewOfTheClocksIsReported() {
    DiagnosticStatus status =
        DIAGNOSES.stream()
            .filter(each -> !value(each, "scans processed").equals("0"))
            .findFirst()
            .orElseThrow();
    assertThat(Double.parseDouble(value(status, "clock skew [s]"))).isBetween(4.9, 5.1);
    assertThat(value(status, "clocks"))
        .isEqualTo("The robot's clock is 5.0 s ahead of this computer's");
    assertThat(status.level()).isEqualTo(DiagnosticStatus.WARN);
  }

  private static String value(DiagnosticStatus status, String key) {
    return status.values().stream()
        .filter(each -> each.key().equals(key))
        .map(KeyValue::value)
        .findFirst()
        .orElse("");
  }

  @Test
  void aBlindScanIsRefusedWithItsReason() {
    assertThat(summary).contains("1 refused").contains("ALL_BEAMS_INVALID=1").contains("0 lost");
    assertThat(DIAGNOSES)
        .anyMatch(status -> status.message().startsWith("No beam of the scan is usable"));
  }

  @Test
  void everyScanHasOneFate() {
    long[] numbers =
        Arrays.stream(summary.replaceAll("\\{.*", "").split("\\D+"))
            .mapToLong(Long::parseLong)
            .toArray();
    assertThat(numbers[0]).isEqualTo(READINGS + 1L);
    assertThat(numbers[1] + numbers[2] + numbers[3] + numbers[4]).isEqualTo(numbers[0]);
  }

  @Test
  void theMapIsServedAndSaved() {
    assertThat(servedMap).contains("data: [");
    assertThat(savedMap).contains("success: True").contains("map.yaml");
    assertThat(savedFiles).containsExactly("map.pgm", "map.yaml");
  }

  @Test
  void rosbagRecordsTheRoad() {
    assertThat(bag)
        .contains("/map nav_msgs/OccupancyGrid some")
        .contains("/scan sensor_msgs/LaserScan some")
        .contains("/tf tf2_msgs/TFMessage some");
  }

  private static Pose planar(Vector3 position, Quaternion rotation) {
    return new Pose(position.x(), position.y(), 2 * Math.atan2(rotation.z(), rotation.w()));
  }
}
