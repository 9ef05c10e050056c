package org.cartostream.gateway.ros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cartostream.gateway.TestBroker.soon;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.InMemoryBroker;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.gateway.FakeService;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.ManualClock;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.live.LiveGateway;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.gateway.session.LocalisationAttachment;
import org.cartostream.ros.local.FakeNode;
import org.cartostream.ros.message.DiagnosticArray;
import org.cartostream.ros.message.Empty;
import org.cartostream.ros.message.GetMap;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.MapMetaData;
import org.cartostream.ros.message.PoseArray;
import org.cartostream.ros.message.PoseWithCovariance;
import org.cartostream.ros.message.PoseWithCovarianceStamped;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.message.RosParticle;
import org.cartostream.ros.message.RosParticleCloud;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.SetInitialPose;
import org.cartostream.ros.message.SetMap;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.Transform;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.ros.message.Vector3;
import org.cartostream.ros.node.MasterMonitor;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.slam.settings.ReadingFilterSettings;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway whose robot is localised, as amcl's users meet it. */
@Quick
class LocalisedGatewayTest {

  private static final LocalisationSettings SETTINGS =
      Settings.defaults(LocalisationSettings.class);

  private static final LocalisationQuality LOST =
      new LocalisationQuality(0.25, 0.4, 0.3, 0.5, LocalisationQuality.State.LOST);

  /** 2 m x 1 m, with a wall at its left end, turned by a quarter. */
  private static final ServerMap MAP = map();

  private static ServerMap map() {
    Pose origin = new Pose(1, -1, Math.PI / 2);
    byte[] cells = new byte[20 * 10];
    for (int row = 0; row < 10; row++) {
      cells[row * 20] = 100;
    }
    return new ServerMap(
        new OccupancyGrid(20, 10, 0.1, origin.x(), origin.y(), cells), origin, 65, 19);
  }

  @TempDir private Path folder;

  private final InMemoryBroker broker = new InMemoryBroker();
  private final FakeNode graph = new FakeNode(Map.of(), Map.of());
  private FakeService service;
  private RosGateway gateway;
  private CompletableFuture<Void> run;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(folder.resolve("map.pgm"), "somebody's");
    BrokerSettings settings = InMemoryBroker.settings().withService(UUID.randomUUID().toString());
    service = new FakeService(broker.open(settings, "fake service", BrokerListener.NONE)).serve();
    service.localises(LOST);
    gateway =
        RosGateway.open(
            graph,
            new MasterMonitor(),
            new LiveGateway.Robot(
                "robot-" + UUID.randomUUID(),
                new GatewaySettings(2, 5, 50, 64),
                Settings.defaults(ReadingFilterSettings.class),
                folder,
                Map.of(),
                false,
                Optional.empty(),
                Optional.of(
                    new LocalisationAttachment(MAP, SETTINGS, Optional.of(new Pose(0.5, 0, 0.5)))),
                RunBeginning.anew(),
                Optional.empty(),
                Optional.empty()),
            Settings.with(
                Settings.defaults(RosSettings.class), Map.of("odometryWaitMillis", "60000")),
            outages -> broker.open(settings, "gateway", outages),
            new RosGateway.Timing(new ManualClock(), 20));
    run =
        CompletableFuture.runAsync(
            () -> {
              try {
                gateway.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            work -> {
              Thread thread = new Thread(work, "gateway");
              thread.setDaemon(true);
              thread.start();
            });
    tf("/tf_static", "base_link", "laser", 0, 0);
  }

  @AfterEach
  void stop() throws Exception {
    gateway.stop();
    gateway.stop();
    run.get(20, TimeUnit.SECONDS);
    gateway.close();
    service.close();
  }

  private void tf(String topic, String parent, String child, long second, double x) {
    Transform motion = new Transform(new Vector3(x, 0, 0), new Quaternion(0, 0, 0, 1));
    Header header = new Header(0, TimeUnit.SECONDS.toNanos(second), parent);
    graph.deliver(topic, new TfMessage(List.of(new TransformStamped(header, child, motion))));
  }

  /** A metre further each second; waits until the scan was answered. */
  private ReadingMessage scan(int second) {
    tf("/tf", "odom", "base_link", second, second);
    Header header = new Header(0, TimeUnit.SECONDS.toNanos(second), "laser");
    graph.deliver(
        "scan",
        new LaserScan(
            header, -0.5f, 0.5f, 0.5f, 0, 0, 0.1f, 8, new float[] {1, 2, 3}, new float[3]));
    soon().until(() -> graph.published("amcl_pose").size() == second);
    Envelope latest = service.received.get(service.received.size() - 1);
    assertThat(latest.sequence()).isEqualTo(second);
    return (ReadingMessage) latest.body();
  }

  private void initialPose(String frame, double x, double variance) {
    double[] covariance = new double[36];
    covariance[0] = variance;
    covariance[7] = 0.09;
    covariance[35] = 0.01;
    RosPose pose = new RosPose(new Vector3(x, 0, 0), new Quaternion(0, 0, 1, 0));
    graph.deliver(
        "initialpose",
        new PoseWithCovarianceStamped(
            new Header(0, 0, frame), new PoseWithCovariance(pose, covariance)));
  }

  @Test
  void sendsTheMapAndTheStartWithTheFirstScanAlone() {
    ReadingMessage first = scan(1);
    assertThat(first.knownMap().digest()).isEqualTo(PackedMap.of(MAP).digest());
    assertThat(first.initialPose())
        .isEqualTo(
            new InitialPose.At(
                new Pose(0.5, 0, 0.5),
                SETTINGS.sigmaStartMetres(),
                SETTINGS.sigmaStartMetres(),
                SETTINGS.sigmaStartRadians()));
    ReadingMessage second = scan(2);
    assertThat(second.knownMap()).isNull();
    assertThat(second.initialPose()).isNull();
  }

  @Test
  void whatIsSaidGoesWithTheNextScan() {
    scan(1);
    initialPose("map", 0.5, 0.04);
    assertThat(scan(2).initialPose())
        .isEqualTo(new InitialPose.At(new Pose(0.5, 0, Math.PI), 0.2, 0.3, 0.1));
    assertThat(scan(3).initialPose()).isNull();
    graph.call("global_localization", new Empty.Request());
    assertThat(scan(4).initialPose()).isEqualTo(new InitialPose.Anywhere());
    graph.call("reinitialize_global_localization", new Empty.Request());
    initialPose("/map", 0.4, 0.04); // The latest counts.
    assertThat(scan(5).initialPose()).isInstanceOf(InitialPose.At.class);
  }

  private static SetInitialPose.Request initially(double x) {
    RosPose pose = new RosPose(new Vector3(x, 0, 0), new Quaternion(0, 0, 1, 0));
    return new SetInitialPose.Request(
        new PoseWithCovarianceStamped(
            new Header(0, 0, "map"), new PoseWithCovariance(pose, new double[36])));
  }

  @Test
  void nav2sServiceSaysWhereTheRobotIs() {
    scan(1);
    graph.call("set_initial_pose", initially(0.4));
    assertThat(scan(2).initialPose())
        .isEqualTo(new InitialPose.At(new Pose(0.4, 0, Math.PI), 0, 0, 0));
    assertThatThrownBy(() -> graph.call("set_initial_pose", initially(50)))
        .hasMessageContaining("(50.0, 0.0) lies outside the map");
    assertThat(scan(3).initialPose()).isNull();
  }

  @Test
  void aWeighingCanBeAskedForAndUnsaysNothing() {
    scan(1);
    graph.call("request_nomotion_update", new Empty.Request());
    assertThat(scan(2).initialPose()).isEqualTo(new InitialPose.Unmoved());
    initialPose("map", 0.5, 0.04);
    graph.call("request_nomotion_update", new Empty.Request());
    assertThat(scan(3).initialPose()).isInstanceOf(InitialPose.At.class);
    assertThat(scan(4).initialPose()).isNull();
  }

  /** A room of 1 m x 1 m, with a wall in a corner. */
  private static SetMap.Request anotherFloor(double x, int cells) {
    byte[] data = new byte[cells];
    data[0] = 100;
    RosPose corner = new RosPose(new Vector3(10, 20, 0), new Quaternion(0, 0, 0, 1));
    MapMetaData info = new MapMetaData(0, 0.05f, 20, 20, corner);
    RosPose pose = new RosPose(new Vector3(x, 20.5, 0), new Quaternion(0, 0, 0, 1));
    return new SetMap.Request(
        new RosOccupancyGrid(new Header(0, 0, "map"), info, data),
        new PoseWithCovarianceStamped(
            new Header(0, 0, "map"), new PoseWithCovariance(pose, new double[36])));
  }

  @Test
  void anotherMapBeginsANewRunInIt() throws Exception {
    scan(1);
    initialPose("map", 0.5, 0.04); // Said of the first map: it counts no more.
    long before = service.received.get(0).run();
    SetMap.Response taken = graph.call("set_map", anotherFloor(10.5, 400));
    assertThat(taken.success()).isTrue();
    soon().until(() -> graph.published("map").size() == 2);
    tf("/tf", "odom", "base_link", 2, 2);
    Header header = new Header(0, TimeUnit.SECONDS.toNanos(2), "laser");
    graph.deliver(
        "scan",
        new LaserScan(
            header, -0.5f, 0.5f, 0.5f, 0, 0, 0.1f, 8, new float[] {1, 2, 3}, new float[3]));
    soon().until(() -> graph.published("amcl_pose").size() == 2);
    Envelope latest = service.received.get(service.received.size() - 1);
    ReadingMessage first = (ReadingMessage) latest.body();
    assertThat(latest.run()).isNotEqualTo(before);
    assertThat(latest.sequence()).isEqualTo(1);
    assertThat(first.initialPose()).isEqualTo(new InitialPose.At(new Pose(10.5, 20.5, 0), 0, 0, 0));
    assertThat(first.knownMap().resolution()).isEqualTo(0.05);
    assertThat(first.knownMap().origin()).isEqualTo(new Pose(10, 20, 0));
    RosOccupancyGrid served = (RosOccupancyGrid) graph.published("map").get(1);
    assertThat(served.data()).isEqualTo(anotherFloor(0, 400).map().data());
    GetMap.Response called = graph.call("static_map", new GetMap.Request());
    assertThat(called.map()).isEqualTo(served);
  }

  @Test
  void aMapThatIsNoneIsNotTaken() {
    scan(1);
    SetMap.Response outside = graph.call("set_map", anotherFloor(50, 400));
    SetMap.Response few = graph.call("set_map", anotherFloor(10.5, 399));
    assertThat(outside.success()).isFalse();
    assertThat(few.success()).isFalse();
    assertThat(scan(2).knownMap()).isNull();
    assertThat(graph.published("map")).hasSize(1);
  }

  @Test
  void particlesAreShownToRos1AndToNav2() {
    scan(1);
    service.sends(
        new ParticlesMessage(
            List.of(new Pose(1, 2, Math.PI), new Pose(-3, 0.5, 0)), List.of(0, 1)));
    soon().until(() -> graph.published("particle_cloud").size() == 1);
    PoseArray ros1 = (PoseArray) graph.published("particlecloud").get(0);
    RosParticleCloud nav2 = (RosParticleCloud) graph.published("particle_cloud").get(0);
    assertThat(ros1.header())
        .isEqualTo(nav2.header())
        .isEqualTo(new Header(0, TimeUnit.SECONDS.toNanos(1), "map"));
    assertThat(ros1.poses().stream().map(RosPose::position))
        .containsExactly(new Vector3(1, 2, 0), new Vector3(-3, 0.5, 0));
    assertThat(ros1.poses().get(0).orientation().z()).isEqualTo(1);
    assertThat(nav2.particles().stream().map(RosParticle::pose).toList()).isEqualTo(ros1.poses());
    assertThat(nav2.particles()).allMatch(each -> each.weight() == 0.5);
  }

  @Test
  void whatCannotBeIsNotSaid() {
    scan(1);
    initialPose("odom", 0.5, 0.04);
    initialPose("map", 50, 0.04);
    initialPose("map", 0.5, -1);
    initialPose("map", Double.NaN, 0.04);
    assertThat(scan(2).initialPose()).isNull();
  }

  @Test
  void servesTheKnownMapAsItLies() throws Exception {
    soon().until(() -> graph.published("map").size() == 1);
    RosOccupancyGrid onMap = (RosOccupancyGrid) graph.published("map").get(0);
    assertThat(onMap.data()).isEqualTo(MAP.grid().cells());
    assertThat(onMap.info().origin().position()).isEqualTo(new Vector3(1, -1, 0));
    assertThat(onMap.info().origin().orientation().z()).isEqualTo(Math.sin(Math.PI / 4));
    GetMap.Response called = graph.call("static_map", new GetMap.Request());
    assertThat(called.map()).isEqualTo(onMap);
    scan(1);
    gateway.stop();
    run.get(20, TimeUnit.SECONDS);
    assertThat(graph.published("map")).hasSize(1);
    assertThat(folder.resolve("trajectory.tum")).exists();
    assertThat(folder.resolve("map.pgm")).as("not its own").hasContent("somebody's");
  }

  @Test
  void saysHowFarThePoseCanBeBelieved() {
    scan(1);
    PoseWithCovarianceStamped pose =
        (PoseWithCovarianceStamped) graph.published("amcl_pose").get(0);
    assertThat(pose.header().frameId()).isEqualTo("map");
    assertThat(pose.pose().pose().position()).isEqualTo(new Vector3(1, 0, 0));
    assertThat(pose.pose().covariance()[0]).isCloseTo(0.08, within());
    assertThat(pose.pose().covariance()[35]).isCloseTo(0.09, within());
    soon()
        .until(
            () ->
                graph.published("/diagnostics").stream()
                    .map(each -> ((DiagnosticArray) each).status().get(0).values().toString())
                    .anyMatch(
                        each ->
                            each.contains("[key=localisation, value=LOST]")
                                && each.contains("[key=fit, value=0.250]")
                                && each.contains("[key=share, value=0.500]")));
  }

  private static String sentence(LocalisationQuality quality) {
    return new MappingDiagnostics(
            "r1",
            new MappingDiagnostics.Scans(
                new ReadingCounts(1, 1, 0, 0, 0), Map.of(), 0, 0, "", 0, ""),
            new MappingDiagnostics.Outages("", ""),
            new MappingDiagnostics.Clock("agree", 0, false),
            "/tf",
            new MappingDiagnostics.Answers(
                0,
                0,
                new MapToOdomPublisher.Moves(Correction.NONE, 0),
                new RobotPose(Pose.ORIGIN, Correction.NONE, 100, 0).withQuality(quality)))
        .sentence();
  }

  @Test
  void theDiagnosisIsASentence() {
    assertThat(sentence(LOST))
        .isEqualTo("The robot is lost: only 25 % of what its laser meets stands in the map");
    assertThat(sentence(new LocalisationQuality(1, 0, 0, 0.6, LocalisationQuality.State.AMBIGUOUS)))
        .isEqualTo(
            "The robot may be elsewhere: 60 % of the particles' weight is where its pose is");
    assertThat(sentence(new LocalisationQuality(1, 0, 0, 1, LocalisationQuality.State.OK)))
        .isEqualTo("Localised");
  }

  private static Offset<Double> within() {
    return Offset.offset(1e-9);
  }
}
