package org.cartostream.ros.tcpros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.RosException;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.message.Float64;
import org.cartostream.ros.message.GetMap;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.MapMetaData;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.Vector3;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.RosNode;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Our node among ROS's own: its master, rospy, rostopic, rosservice and rosbag. */
@Default
class TcpRosNodeIT {

  private static final Duration SOON = Duration.ofSeconds(30);

  private static LocalRosMaster ros;

  private final RecordingListener recordingListener = new RecordingListener();
  private final List<TcpRosNode> nodes = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    ros = LocalRosMaster.started();
  }

  @AfterAll
  static void stop() throws Exception {
    if (ros != null) {
      ros.close();
    }
  }

  @AfterEach
  void leave() {
    nodes.forEach(TcpRosNode::close);
  }

  private TcpRosNode node(String name) {
    return node(name, recordingListener);
  }

  private TcpRosNode node(String name, RecordingListener told) {
    TcpRosNode node =
        TcpRosNode.start(ros.uri(), new GraphNames("/", name, Map.of()), ros.environment(), told);
    nodes.add(node);
    return node;
  }

  @Test
  void hearsWhatRospyPublishes() throws Exception {
    List<LaserScan> heard = new CopyOnWriteArrayList<>();
    node("hears_rospy").subscribe("/scan_of_rospy", LaserScan.TYPE, heard::add);
    ros.tool(
        "pub",
        "rostopic",
        "pub",
        "-r",
        "10",
        "/scan_of_rospy",
        "sensor_msgs/LaserScan",
        "{header: {stamp: {secs: 12, nsecs: 345}, frame_id: laser}, angle_min: -1.5,"
            + " angle_max: 1.5, angle_increment: 1.5, range_max: 8.0,"
            + " ranges: [1.0, .nan, .inf]}");
    await().atMost(SOON).until(() -> heard.size() >= 3);
    LaserScan scan = heard.get(0);
    assertThat(scan.header().stamp()).isEqualTo(12_000_000_345L);
    assertThat(scan.header().frameId()).isEqualTo("laser");
    assertThat(scan.ranges()).containsExactly(1f, Float.NaN, Float.POSITIVE_INFINITY);
    assertThat(scan.rangeMax()).isEqualTo(8f);
  }

  @Test
  void tellsALatchedMapToRostopicThatComesLater() throws Exception {
    RosNode.Publisher<RosOccupancyGrid> map =
        node("tells_a_map").advertise("/latched_map", RosOccupancyGrid.TYPE, true);
    map.send(map(2));
    Process echo = ros.tool("echo", "rostopic", "echo", "-n", "1", "/latched_map");
    assertThat(echo.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(ros.said("echo"))
        .contains("frame_id: \"map\"")
        .contains("width: 3")
        .contains("height: 2")
        .contains("data: [0, 100, -1, 0, 0, 0]");
    assertThat(recordingListener.trouble).isEmpty();
  }

  @Test
  void answersRosservice() throws Exception {
    node("serves_a_map")
        .advertiseService("/served_map", GetMap.TYPE, request -> new GetMap.Response(map(1)));
    node("serves_none")
        .advertiseService(
            "/no_map",
            GetMap.TYPE,
            request -> {
              throw new RosException("there is no map yet");
            });
    await().atMost(SOON).until(() -> recordingListener.back.size() == 2);
    Process call = ros.tool("call", "rosservice", "call", "/served_map");
    Process refused = ros.tool("refused", "rosservice", "call", "/no_map");
    assertThat(call.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(ros.said("call")).contains("data: [0, 100, -1]");
    assertThat(refused.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(ros.said("refused")).contains("there is no map yet");
  }

  @Test
  void isRecordedByRosbag() throws Exception {
    RosNode.Publisher<Float64> topic =
        node("is_recorded").advertise("/recorded", Float64.TYPE, false);
    Path bag = ros.folder().resolve("recorded.bag");
    Process record =
        ros.tool("record", "rosbag", "record", "-l", "5", "-O", bag.toString(), "/recorded");
    await().atMost(SOON).until(() -> topic.subscribers() == 1);
    for (int i = 1; i <= 5; i++) {
      topic.send(new Float64(i / 8.0));
    }
    // Told to end, it would leave out what it has not read yet.
    assertThat(record.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(bag).exists();
    Process read =
        ros.script(
            "read",
            "import rosbag\n"
                + "for topic, message, when in rosbag.Bag('"
                + bag
                + "').read_messages():\n"
                + "    print(topic, message._type, message.data)\n");
    assertThat(read.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(ros.said("read"))
        .contains("/recorded std_msgs/Float64 0.125")
        .contains("/recorded std_msgs/Float64 0.625");
  }

  @Test
  void readsParameters() throws Exception {
    Process set =
        ros.script(
            "set",
            "import rosgraph\n"
                + "m = rosgraph.Master('/setter')\n"
                + "m.setParam('/reader/base_frame', 'base_footprint')\n"
                + "m.setParam('/reader/maxUrange', 5.5)\n");
    assertThat(set.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    TcpRosNode node = node("reader");
    assertThat(node.parameter("~base_frame")).contains("base_footprint");
    assertThat(node.parameter("~maxUrange")).contains("5.5");
    assertThat(node.parameter("~delta")).isEmpty();
  }

  @Test
  void namesATopicOfAnotherType() throws Exception {
    node("wants_scans").subscribe("/mistyped", LaserScan.TYPE, scan -> {});
    ros.tool("mistyped", "rostopic", "pub", "-r", "10", "/mistyped", "std_msgs/Float64", "1.0");
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(recordingListener.trouble)
                    .anyMatch(
                        told ->
                            told.matches(
                                "/mistyped from http.*: nothing is received: .*(Float64|md5sum).*")));
  }

  @Test
  void isFoundByRostopicAsWhatItIs() throws Exception {
    node("listed").advertise("/listed_topic", Float64.TYPE, false);
    await().atMost(SOON).until(() -> recordingListener.back.size() == 1);
    Process info = ros.tool("info", "rostopic", "info", "/listed_topic");
    assertThat(info.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(ros.said("info")).contains("Type: std_msgs/Float64").contains("* /listed ");
  }

  @Test
  void endsWhenAnotherNodeTakesItsName() {
    RecordingListener first = new RecordingListener();
    RecordingListener second = new RecordingListener();
    node("twin", first).advertise("/twin_topic", Float64.TYPE, false);
    await().atMost(SOON).until(() -> first.back.size() == 1);
    node("twin", second).advertise("/twin_topic", Float64.TYPE, false);
    await().atMost(SOON).until(() -> !first.failures.isEmpty());
    assertThat(second.failures).isEmpty();
  }

  @Test
  void hearsAPublisherThatLeftAndCameBack() {
    List<Float64> heard = new CopyOnWriteArrayList<>();
    node("patient").subscribe("/comes_and_goes", Float64.TYPE, heard::add);
    for (double value = 1; value <= 3; value++) {
      Float64 message = new Float64(value);
      try (TcpRosNode publisher =
          TcpRosNode.start(
              ros.uri(),
              new GraphNames("/", "fickle", Map.of()),
              ros.environment(),
              new RecordingListener())) {
        publisher.advertise("/comes_and_goes", Float64.TYPE, true).send(message);
        await().atMost(SOON).until(() -> heard.contains(message));
      }
    }
  }

  @Test
  void goesOnHearingAfterAListenerHasFailed() {
    List<Float64> heard = new CopyOnWriteArrayList<>();
    List<String> failures = new CopyOnWriteArrayList<>();
    node("sane").advertise("/upsetting", Float64.TYPE, true).send(new Float64(1));
    node("upset")
        .subscribe(
            "/upsetting",
            Float64.TYPE,
            message -> {
              if (failures.isEmpty()) {
                failures.add("once");
                throw new IllegalStateException("upset by " + message);
              }
              heard.add(message);
            });
    await().atMost(SOON).until(() -> heard.contains(new Float64(1)));
    assertThat(recordingListener.trouble)
        .anyMatch(told -> told.contains("upset by Float64[data=1.0]"));
  }

  @Test
  void outlivesItsMaster() throws Exception {
    try (LocalRosMaster mortal = LocalRosMaster.started()) {
      List<Float64> heard = new CopyOnWriteArrayList<>();
      RecordingListener ofHearer = new RecordingListener();
      try (TcpRosNode hearer =
              TcpRosNode.start(
                  mortal.uri(),
                  new GraphNames("/", "hearer", Map.of()),
                  mortal.environment(),
                  ofHearer);
          TcpRosNode teller =
              TcpRosNode.start(
                  mortal.uri(),
                  new GraphNames("/", "teller", Map.of()),
                  mortal.environment(),
                  recordingListener)) {
        hearer.subscribe("/lasting", Float64.TYPE, heard::add);
        RosNode.Publisher<Float64> topic = teller.advertise("/lasting", Float64.TYPE, true);
        topic.send(new Float64(1));
        await().atMost(SOON).until(() -> heard.contains(new Float64(1)));
        mortal.stop();
        await()
            .atMost(SOON)
            .until(() -> !ofHearer.away.isEmpty() && !recordingListener.away.isEmpty());
        assertThat(ofHearer.away.get(0)).contains(mortal.uri().toString());
        topic.send(new Float64(2));
        await().atMost(SOON).until(() -> heard.contains(new Float64(2)));
        mortal.start();
        await()
            .atMost(SOON)
            .until(() -> ofHearer.back.size() == 2 && recordingListener.back.size() == 2);
        topic.send(new Float64(3));
        await().atMost(SOON).until(() -> heard.contains(new Float64(3)));
        Process echo = mortal.tool("echo", "rostopic", "echo", "-n", "1", "/lasting");
        assertThat(echo.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(mortal.said("echo")).contains("data: 3.0");
      }
      assertThat(heard).containsExactly(new Float64(1), new Float64(2), new Float64(3));
    }
  }

  @Test
  void waitsForAMasterThatIsNotThereYet() {
    TcpRosNode node =
        TcpRosNode.start(
            java.net.URI.create("http://127.0.0.1:1"),
            new GraphNames("/", "early", Map.of()),
            ros.environment(),
            recordingListener);
    nodes.add(node);
    node.advertise("/early_topic", Float64.TYPE, false).send(new Float64(1));
    await().atMost(SOON).until(() -> !recordingListener.away.isEmpty());
    assertThat(recordingListener.away.get(0)).contains("http://127.0.0.1:1");
    assertThatThrownBy(() -> node.parameter("~any")).isInstanceOf(RosException.class);
  }

  /** Three cells a row: free, occupied, unknown; further rows are free. */
  private static RosOccupancyGrid map(int rows) {
    byte[] cells = new byte[3 * rows];
    cells[1] = 100;
    cells[2] = -1;
    RosPose origin = new RosPose(new Vector3(-1, -2, 0), new Quaternion(0, 0, 0, 1));
    return new RosOccupancyGrid(
        new Header(0, 5_000_000_000L, "map"),
        new MapMetaData(5_000_000_000L, 0.05f, 3, rows, origin),
        cells);
  }
}
