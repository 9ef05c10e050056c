package org.cartostream.gateway.ros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.gateway.TestBroker.SOON;
import static org.cartostream.gateway.TestBroker.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.InMemoryBroker;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.gateway.FakeService;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.ManualClock;
import org.cartostream.gateway.live.LiveGateway;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.ros.local.FakeNode;
import org.cartostream.ros.message.Clock;
import org.cartostream.ros.message.DiagnosticArray;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.KeyValue;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.PoseStamped;
import org.cartostream.ros.message.PoseWithCovarianceStamped;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.Transform;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.ros.message.Trigger;
import org.cartostream.ros.message.Vector3;
import org.cartostream.ros.node.MasterMonitor;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.settings.ReadingFilterSettings;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How the run of a robot that speaks ROS ends, in a graph that is this test alone. */
@Quick
@Timeout(60)
class RosGatewayTest {

  private static final int PATIENT_SECONDS = 60;
  private static final int DIAGNOSIS_MILLIS = 10;

  @TempDir private Path folder;

  private final InMemoryBroker broker = new InMemoryBroker();
  private final FakeNode graph = new FakeNode(Map.of(), Map.of("odom", "/r1/wheels"));
  private final MasterMonitor master = new MasterMonitor();
  private final ManualClock clock = new ManualClock();
  private FakeService service;
  private RosGateway gateway;
  private CompletableFuture<Void> run;

  @BeforeEach
  void start() {
    open(Map.of("odometryWaitMillis", "60000"));
  }

  private void open(Map<String, String> changes) {
    // Of its own: what one test's service leaves in its queue is not the next one's.
    BrokerSettings settings = InMemoryBroker.settings().withService(UUID.randomUUID().toString());
    service = new FakeService(broker.open(settings, "fake service", BrokerListener.NONE)).serve();
    gateway =
        RosGateway.open(
            graph,
            master,
            new LiveGateway.Robot(
                "robot-" + UUID.randomUUID(),
                new GatewaySettings(2, PATIENT_SECONDS, 50, 64),
                Settings.defaults(ReadingFilterSettings.class),
                folder,
                false),
            Settings.with(Settings.defaults(RosSettings.class), changes),
            outages -> broker.open(settings, "gateway", outages),
            new RosGateway.Timing(clock, DIAGNOSIS_MILLIS));
    run = CompletableFuture.runAsync(() -> run(gateway), RosGatewayTest::inAThreadOfItsOwn);
    publishTransform("/tf_static", "base_link", "laser", 0, 0);
  }

  /** For it lasts as long as the test, and who shares threads may wait for one. */
  private static void inAThreadOfItsOwn(Runnable run) {
    Thread thread = new Thread(run, "gateway");
    thread.setDaemon(true);
    thread.start();
  }

  private static void run(RosGateway gateway) {
    try {
      gateway.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void stop() throws Exception {
    gateway.stop();
    gateway.stop();
    run.get(SOON.toSeconds(), TimeUnit.SECONDS);
    gateway.close();
    service.close();
  }

  private void publishTransform(String topic, String parent, String child, long second, double x) {
    Transform motion = new Transform(new Vector3(x, 0, 0), new Quaternion(0, 0, 0, 1));
    Header header = new Header(0, TimeUnit.SECONDS.toNanos(second), parent);
    graph.deliver(topic, new TfMessage(List.of(new TransformStamped(header, child, motion))));
  }

  /** The robot is a metre further each second. */
  private void odometry(long second) {
    publishTransform("/tf", "odom", "base_link", second, second);
  }

  private void scan(long second) {
    Header header = new Header(0, TimeUnit.SECONDS.toNanos(second), "laser");
    float[] ranges = {1, 2, 3};
    graph.deliver(
        "scan",
        new LaserScan(header, -0.5f, 0.5f, 0.5f, 0, 0, 0.1f, 8, ranges, new float[ranges.length]));
  }

  private void awaitPoses(int poses) {
    soon().until(() -> graph.published("cartostream/pose").size() == poses);
  }

  private void losesTheServiceAfterAMap() {
    odometry(1);
    scan(1);
    awaitPoses(1);
    service.sends(MapMessage.of(FakeService.MAP, 0));
    soon().until(() -> graph.published("map").size() == 1);
    service.close();
    odometry(2);
    scan(2);
  }

  @Test
  void writesTheNewestMapAndCountsEveryScanThoughTheServiceIsGone() throws Exception {
    Path yesterdays = Files.writeString(folder.resolve(FileSink.TRAJECTORY), "yesterday's");
    losesTheServiceAfterAMap();
    scan(3); // Its odometry never comes.
    gateway.stop();
    soon()
        .until(
            () -> {
              clock.advanceSeconds(PATIENT_SECONDS + 1);
              return run.isDone();
            });
    scan(4); // Too late to be counted.
    assertThat(folder.resolve("map.pgm")).exists();
    assertThat(folder.resolve("map.yaml")).exists();
    assertThat(folder.resolve("map.png")).exists();
    assertThat(TumFile.read(yesterdays)).as("what was answered").hasSize(1);
    assertThat(gateway.summary())
        .isEqualTo("3 scans read: 1 processed, 0 refused, 1 skipped, 1 lost {GATEWAY_STOPPED=1}");
  }

  /** As a second Ctrl-C asks for, long before the gateway would give up by itself. */
  @Test
  void writesTheNewestMapWhenItIsStoppedAgain() throws Exception {
    losesTheServiceAfterAMap();
    gateway.stop();
    gateway.stop();
    run.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(folder.resolve("map.pgm")).exists();
  }

  @Test
  void writesThePathOfARunWhoseMapCannotBeSent() throws Exception {
    service.cannotSendItsMapFor("the map is too large");
    for (String yesterdays : List.of("map.pgm", "map.yaml", "map.png")) {
      Files.writeString(folder.resolve(yesterdays), "yesterday's");
    }
    odometry(1);
    scan(1);
    awaitPoses(1);
    gateway.stop();
    run.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(folder)
        .isDirectoryNotContaining("glob:**/map.*")
        .isDirectoryContaining("glob:**/" + FileSink.TRAJECTORY);
  }

  /** What of the picture's grey is occupied, free and unknown to map_server. */
  private List<Integer> savedCells() throws IOException {
    byte[] picture = Files.readAllBytes(folder.resolve("map.pgm"));
    int below = picture.length - 2; // A picture begins at the top, a map below.
    int above = picture.length - 4;
    return Stream.of(below, below + 1, above, above + 1)
        .map(at -> Byte.toUnsignedInt(picture[at]))
        .map(grey -> grey == 0 ? 100 : grey == 254 ? 0 : -1)
        .toList();
  }

  @Test
  void savesTheCellsThatAreOnTheMap() throws Exception {
    List<Integer> cells = List.of(0, 100, -1, 100);
    odometry(1);
    scan(1);
    awaitPoses(1);
    service.sends(MapMessage.of(FakeService.MAP, 0));
    soon().until(() -> graph.published("map").size() == 1);
    byte[] onMap = ((RosOccupancyGrid) graph.published("map").get(0)).data();
    assertThat(onMap).containsExactly(0, 100, -1, 100);
    Trigger.Response saved = graph.call("cartostream/save_map", new Trigger.Request());
    assertThat(saved.success()).isTrue();
    assertThat(savedCells()).isEqualTo(cells);
    Files.delete(folder.resolve("map.pgm"));
    gateway.stop();
    run.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(savedCells()).as("at the end").isEqualTo(cells);
  }

  @Test
  void namesTheTopicOfOdometryAsItIsRemapped() throws Exception {
    stop();
    open(Map.of("odometryWaitMillis", "0"));
    scan(1);
    soon()
        .until(() -> graph.published("/diagnostics").toString().contains("message on /r1/wheels"));
  }

  @Test
  void sendsTransformsOnceTheRobotIsHeard() {
    soon()
        .until(
            () -> {
              odometry(1); // What was heard long ago is not enough.
              return graph.published("/tf").size() >= 2;
            });
    assertThat(((TfMessage) graph.published("/tf").get(0)).transforms().get(0).header().stamp())
        .as("by the robot's clock")
        .isLessThan(TimeUnit.SECONDS.toNanos(60));
  }

  @Test
  void takesTheTimeOfASimulationIfAsked() throws Exception {
    stop();
    open(Map.of("simulatedTime", "true"));
    soon()
        .until(
            () -> {
              graph.deliver("/clock", new Clock(TimeUnit.SECONDS.toNanos(1000)));
              return !graph.published("/tf").isEmpty();
            });
    assertThat(((TfMessage) graph.published("/tf").get(0)).transforms().get(0).header().stamp())
        .isBetween(TimeUnit.SECONDS.toNanos(1000), TimeUnit.SECONDS.toNanos(1060));
  }

  /** The outcome has to wait until every map has the scan; the pose is known before. */
  @Test
  void correctsTransformsByThePoseBeforeTheOutcomeComes() {
    service.neverAnswers(1);
    odometry(1);
    scan(1);
    soon().until(() -> service.received.size() == 1);
    service.sends(new PoseMessage(new RobotPose(new Pose(5, 0, 0), Correction.NONE, 1, 0)));
    soon()
        .until(
            () -> {
              odometry(1);
              return !graph.published("/tf").isEmpty() && lastTransform().translation().x() == 4;
            });
    assertThat(graph.published("cartostream/pose")).hasSize(1);
    assertThat(gateway.summary()).startsWith("1 scans read: 0 processed,");
  }

  /** The map is drawn behind the poses, so its correction may be an older one. */
  @Test
  void diagnosticsShowTheCorrectionsOfPoseAndMap() {
    service.corrects(new Correction(2, new Pose(0, 0.5, 0), 0.834));
    odometry(1);
    scan(1);
    soon().until(() -> diagnosis("corrections").equals("2") && diagnosis("maps").equals("0"));
    assertThat(diagnosis("last correction [m]")).isEqualTo("0.83");
    assertThat(diagnosis("corrections in the map")).isEqualTo("0");
    service.sends(MapMessage.of(FakeService.MAP, 1));
    soon().until(() -> diagnosis("corrections in the map").equals("1"));
    PoseStamped pose = (PoseStamped) graph.published("cartostream/pose").get(0);
    assertThat(pose.pose().position()).isEqualTo(new Vector3(1, 0.5, 0));
  }

  /** As slam_toolbox does; and the gateway's folder has it, too. */
  @Test
  void aPoseIsToldWithItsCovariance() throws IOException {
    odometry(1);
    scan(1);
    soon().until(() -> Files.exists(folder.resolve("live.covariance.csv")));
    PoseWithCovarianceStamped told = (PoseWithCovarianceStamped) graph.published("pose").get(0);
    PoseStamped pose = (PoseStamped) graph.published("cartostream/pose").get(0);
    assertThat(told.header()).isEqualTo(pose.header());
    assertThat(told.pose().pose()).isEqualTo(pose.pose());
    double[] covariance = told.pose().covariance();
    double[] expected = new double[36];
    expected[0] = 0.25;
    expected[1] = -0.125;
    expected[5] = 0.0625;
    expected[6] = -0.125;
    expected[7] = 0.5;
    expected[11] = 0.03125;
    expected[30] = 0.0625;
    expected[31] = 0.03125;
    expected[35] = 0.015625;
    assertThat(covariance).isEqualTo(expected);
    List<String> lines = Files.readAllLines(folder.resolve("live.covariance.csv"));
    assertThat(lines.get(0)).isEqualTo("stamp,xx,xy,xyaw,yy,yyaw,yawyaw");
    assertThat(lines.get(1))
        .endsWith(
            ",2.500000e-01,-1.250000e-01,6.250000e-02,5.000000e-01,3.125000e-02,1.562500e-02");
  }

  private String diagnosis(String key) {
    List<Record> sent = graph.published("/diagnostics");
    return sent.isEmpty()
        ? ""
        : ((DiagnosticArray) sent.get(sent.size() - 1))
            .status().get(0).values().stream()
                .filter(value -> value.key().equals(key))
                .map(KeyValue::value)
                .collect(Collectors.joining());
  }

  private Transform lastTransform() {
    List<Record> sent = graph.published("/tf");
    return ((TfMessage) sent.get(sent.size() - 1)).transforms().get(0).transform();
  }

  @Test
  void sendsNoTransformsIfTheirPeriodIsNone() throws Exception {
    stop();
    open(Map.of("transformPeriodSeconds", "0"));
    odometry(1);
    int diagnoses = graph.published("/diagnostics").size();
    soon().until(() -> graph.published("/diagnostics").size() >= diagnoses + 5);
    assertThat(graph.published("/tf")).isEmpty();
  }
}
