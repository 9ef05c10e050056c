package org.cartostream.sim.ros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.local.CuttableProxy;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.live.LiveGateway;
import org.cartostream.gateway.ros.RosGateway;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.message.DiagnosticArray;
import org.cartostream.ros.message.DiagnosticStatus;
import org.cartostream.ros.message.Float64;
import org.cartostream.ros.message.PoseStamped;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.ros.message.Vector3;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.MasterMonitor;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.tcpros.TcpRosNode;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.ReadingFilterSettings;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.topology.local.LocalService;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;

/**
 * The whole road of a live robot: a ROS graph, by default with a real master, a simulated robot,
 * the gateway, a wire that can be cut, the embedded broker and the service in Storm's local
 * cluster; and a node that writes down what the gateway publishes. Owns all of them.
 */
final class RosTestBed implements AutoCloseable {

  static final Duration SOON = Duration.ofMinutes(3);
  static final int PARTICLES = 20;

  private static final Comparator<StampedPose> BY_STAMP =
      Comparator.comparingLong(StampedPose::stampNanos);

  /** The whole map may be turned by what the first scans leave open: a degree over 10 m. */
  private static final double WALL_METRES = 0.25;

  final List<RosOccupancyGrid> maps = new CopyOnWriteArrayList<>();
  final List<PoseStamped> poses = new CopyOnWriteArrayList<>();
  final List<TransformStamped> corrections = new CopyOnWriteArrayList<>();
  final List<Long> correctedAtNanos = new CopyOnWriteArrayList<>();
  final List<DiagnosticStatus> diagnoses = new CopyOnWriteArrayList<>();

  /** Number of corrections that had come at each diagnosis. */
  final List<Integer> correctionsThen = new CopyOnWriteArrayList<>();

  final List<Double> entropies = new CopyOnWriteArrayList<>();

  /**
   * A ROS graph.
   *
   * @param nodes starts a node of a name
   * @param folder for the files of the test
   * @param end of what the graph consists of
   */
  record Graph(BiFunction<String, MasterMonitor, RosNode> nodes, Path folder, AutoCloseable end) {}

  private final Graph graph;
  private final EmbeddedBroker broker;
  private final LocalService service;
  private final CuttableProxy wire;
  private final RosNode drivers;
  private final RosNode observer;
  private final RosNode node;
  private final RosGateway gateway;
  private final RosRobot robot;
  private final Thread run;

  private RosTestBed(Graph graph, EmbeddedBroker broker, GatewaySettings settings)
      throws IOException {
    this.graph = graph;
    this.broker = broker;
    service = LocalService.start(settings(broker.uri()));
    wire = new CuttableProxy(URI.create(broker.uri()).getPort());
    drivers = graph.nodes().apply("drivers", new MasterMonitor());
    observer = graph.nodes().apply("observer", new MasterMonitor());
    observe();
    robot = new RosRobot(drivers);
    MasterMonitor master = new MasterMonitor();
    node = graph.nodes().apply("cartostream", master);
    gateway = gateway(master, settings);
    run = new Thread(this::runGateway, "gateway of tb3");
    run.start();
    await().atMost(SOON).until(robot::hasSubscribers);
  }

  /** With a master of ROS 1. */
  static RosTestBed open(LocalRosMaster ros, GatewaySettings settings) throws IOException {
    return open(
        new Graph((name, watch) -> node(ros, name, watch), ros.folder(), ros::close), settings);
  }

  static RosTestBed open(Graph graph, GatewaySettings settings) throws IOException {
    return new RosTestBed(graph, EmbeddedBroker.start(), settings);
  }

  private static ServiceSettings settings(String uri) {
    return new ServiceSettings(
        filter(),
        BrokerSettings.defaults().withUri(uri),
        Settings.build(TopologySettings.class, Map.of("mapIntervalSeconds", "2")));
  }

  static FilterSettings filter() {
    return Settings.build(FilterSettings.class, Map.of("particles", Integer.toString(PARTICLES)));
  }

  private static RosNode node(LocalRosMaster ros, String name, MasterMonitor watch) {
    return TcpRosNode.start(
        ros.uri(), new GraphNames("/", name, Map.of()), ros.environment(), watch);
  }

  private RosGateway gateway(MasterMonitor master, GatewaySettings settings) {
    URI uri = URI.create(broker.uri());
    BrokerSettings throughTheWire =
        BrokerSettings.defaults()
            .withUri(broker.uri().replace(":" + uri.getPort(), ":" + wire.port()));
    LiveGateway.Robot tb3 =
        new LiveGateway.Robot(
            "tb3",
            settings,
            Settings.defaults(ReadingFilterSettings.class),
            folder(),
            Map.of("robot", "tb3"),
            false,
            Optional.empty(),
            Optional.empty(),
            RunBeginning.anew(),
            Optional.empty(),
            settings.searchCarried() ? Optional.of(CarriedDrive::search) : Optional.empty());
    return RosGateway.open(
        node,
        master,
        tb3,
        patient(),
        outages -> BrokerConnection.open(throughTheWire, "gateway of tb3", outages),
        RosGateway.Timing.SYSTEM);
  }

  /** Odometry always comes, though it may be late. */
  private static RosSettings patient() {
    return Settings.build(RosSettings.class, Map.of("odometryWaitMillis", "60000"));
  }

  private void runGateway() {
    try {
      gateway.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void observe() {
    observer.subscribe("/map", RosOccupancyGrid.TYPE, maps::add);
    observer.subscribe("/cartostream/pose", PoseStamped.TYPE, poses::add);
    observer.subscribe(
        "/cartostream/entropy", Float64.TYPE, message -> entropies.add(message.data()));
    observer.subscribe("/diagnostics", DiagnosticArray.TYPE, this::diagnosed);
    observer.subscribe(
        "/tf",
        TfMessage.TYPE,
        message ->
            message.transforms().stream()
                .filter(each -> each.childFrameId().equals("odom"))
                .forEach(this::corrected));
  }

  private void diagnosed(DiagnosticArray message) {
    correctionsThen.add(corrections.size());
    diagnoses.addAll(message.status());
  }

  private void corrected(TransformStamped correction) {
    corrections.add(correction);
    correctedAtNanos.add(System.nanoTime());
  }

  /** From the gateway to the broker. */
  CuttableProxy wire() {
    return wire;
  }

  RosRobot robot() {
    return robot;
  }

  /** The gateway's folder. */
  Path folder() {
    return graph.folder().resolve("maps");
  }

  /** What a drive is to be like. */
  record Pace(long startNanos, long robotNanos, long wallNanos) {

    /** By the robot's clock. */
    long stamp(int reading) {
      return startNanos + reading * robotNanos;
    }
  }

  /**
   * Drives along what was recorded. Odometry comes shortly before and after each scan, never at its
   * stamp: as wheels do it. After a pause of the machine it makes up for the time, but never faster
   * than at twice its pace: a burst is more than a publisher keeps for a slow subscriber.
   *
   * @param from number of the first reading
   * @param meanwhile called before each reading, with its number
   */
  void drive(Recording recording, int from, Pace pace, IntConsumer meanwhile)
      throws InterruptedException {
    robot.publishLaserMount(recording.readings().get(0).scan().mount());
    long due = System.nanoTime();
    for (int i = from; i < recording.readings().size(); i++) {
      meanwhile.accept(i);
      step(recording.readings().get(i), pace, i);
      due += pace.wallNanos();
      TimeUnit.NANOSECONDS.sleep(Math.max(due - System.nanoTime(), pace.wallNanos() / 2));
    }
  }

  private void step(Reading reading, Pace pace, int number) {
    long shortly = pace.robotNanos() / 20;
    robot.publishOdometry(pace.stamp(number) - shortly, reading.odometry());
    robot.publishScan(pace.stamp(number), reading.scan());
    robot.publishOdometry(pace.stamp(number) + shortly, reading.odometry());
  }

  /** Waits until a map shows what was seen at a time by the robot's clock. */
  void awaitMapOf(long stampNanos) {
    await().atMost(SOON).until(() -> !maps.isEmpty() && newestMap().header().stamp() >= stampNanos);
  }

  RosOccupancyGrid newestMap() {
    return maps.get(maps.size() - 1);
  }

  /** Stops the gateway; what became of the scans, in a sentence. */
  String end() throws InterruptedException {
    gateway.stop();
    run.join(SOON.toMillis());
    return gateway.summary();
  }

  @Override
  public void close() throws Exception {
    gateway.close();
    node.close();
    observer.close();
    drivers.close();
    wire.close();
    service.close();
    broker.close();
    graph.end().close();
  }

  // --- what came of it -------------------------------------------------------------------------

  /** The poses that the gateway published, by stamp. */
  List<StampedPose> estimate() {
    return poses.stream().map(RosTestBed::stamped).sorted(BY_STAMP).toList();
  }

  static StampedPose stamped(PoseStamped message) {
    Pose pose = planar(message.pose().position(), message.pose().orientation());
    return new StampedPose(message.header().stamp(), pose);
  }

  static Pose planar(Vector3 position, Quaternion rotation) {
    return new Pose(position.x(), position.y(), 2 * Math.atan2(rotation.z(), rotation.w()));
  }

  /** Every occupied cell of the newest map, but for a few, lies at a wall of the office. */
  void assertMapShowsTheOffice(Pose start) {
    RosOccupancyGrid map = newestMap();
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

  private static Pose centre(RosOccupancyGrid map, int cell) {
    int width = (int) map.info().width();
    Vector3 origin = map.info().origin().position();
    return new Pose(
        origin.x() + (cell % width + 0.5) * map.info().resolution(),
        origin.y() + (cell / width + 0.5) * map.info().resolution(),
        0);
  }

  private static double distanceToWall(Pose point) {
    return World.office().walls().stream()
        .mapToDouble(wall -> distance(wall, point))
        .min()
        .orElseThrow();
  }

  private static double distance(World.Wall wall, Pose point) {
    double alongX = wall.toX() - wall.fromX();
    double alongY = wall.toY() - wall.fromY();
    double share =
        ((point.x() - wall.fromX()) * alongX + (point.y() - wall.fromY()) * alongY)
            / (alongX * alongX + alongY * alongY);
    double within = Math.max(0, Math.min(1, share));
    return Math.hypot(
        point.x() - wall.fromX() - within * alongX, point.y() - wall.fromY() - within * alongY);
  }
}
