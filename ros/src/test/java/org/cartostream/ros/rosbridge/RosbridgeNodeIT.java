package org.cartostream.ros.rosbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.RosException;
import org.cartostream.ros.local.LocalRosbridge;
import org.cartostream.ros.message.Float64;
import org.cartostream.ros.message.GetMap;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.MapMetaData;
import org.cartostream.ros.message.PoseStamped;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.Trigger;
import org.cartostream.ros.message.Vector3;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.node.RosNodeListener;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Across a rosbridge server by the specification, with roslibpy at the other end. */
@Default
class RosbridgeNodeIT {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final long STAMP = 1_700_000_000_123_456_789L;

  private static final RosPose HERE =
      new RosPose(new Vector3(1, 2.5, 0), new Quaternion(0, 0, 0, 1));
  private static final RosOccupancyGrid MAP =
      new RosOccupancyGrid(
          new Header(7, STAMP, "map"),
          new MapMetaData(STAMP, 0.05f, 3, 1, HERE),
          new byte[] {-1, 0, 100});

  @TempDir private Path folder;

  private final List<String> remarks = new CopyOnWriteArrayList<>();
  private LocalRosbridge bridge;
  private RosNode node;

  private final class Remarks implements RosNodeListener {
    @Override
    public void onMasterAway(String why) {
      remarks.add("away: " + why);
    }

    @Override
    public void onMasterBack() {
      remarks.add("back");
    }

    @Override
    public void onTrouble(String topic, String why) {
      remarks.add(topic + ": " + why);
    }

    @Override
    public void onShutdown(String why) {
      remarks.add("shutdown");
    }

    @Override
    public void onFailure(String why) {
      remarks.add("failure");
    }
  }

  @BeforeEach
  void start() throws Exception {
    LocalRosbridge.missing().ifPresent(why -> Assumptions.abort(why));
    bridge = LocalRosbridge.started(folder);
    node = node("cartostream");
  }

  private RosNode node(String name) {
    return RosbridgeNode.start(bridge.uri(), new GraphNames("/", name, Map.of()), new Remarks());
  }

  @AfterEach
  void stop() throws Exception {
    if (bridge != null) {
      node.close();
      bridge.close();
    }
  }

  private static String script() throws IOException {
    try (InputStream text = RosbridgeNodeIT.class.getResourceAsStream("robot.py")) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** What roslibpy printed: each thing with the newest of its values. */
  private Map<String, JsonNode> saidByRoslibpy() throws Exception {
    Map<String, JsonNode> said = new HashMap<>();
    for (String line : bridge.said("robot").lines().toList()) {
      new ObjectMapper()
          .readTree(line)
          .fields()
          .forEachRemaining(each -> said.put(each.getKey(), each.getValue()));
    }
    return said;
  }

  @Test
  void hearsTellsAndServesARobotOfRos2() throws Exception {
    List<LaserScan> scans = new CopyOnWriteArrayList<>();
    List<RosOccupancyGrid> newest = new CopyOnWriteArrayList<>();
    RosNode.Publisher<PoseStamped> poses =
        node.advertise("cartostream/pose", PoseStamped.TYPE, false);
    RosNode.Publisher<RosOccupancyGrid> maps = node.advertise("map", RosOccupancyGrid.TYPE, true);
    node.advertiseService(
        "dynamic_map",
        GetMap.TYPE,
        request -> {
          if (newest.isEmpty()) {
            throw new RosException("there is no map yet");
          }
          return new GetMap.Response(newest.get(0));
        });
    node.advertiseService(
        "cartostream/save_map", Trigger.TYPE, request -> new Trigger.Response(true, "written"));
    node.subscribe(
        "scan",
        LaserScan.TYPE,
        scan -> {
          scans.add(scan);
          newest.add(MAP);
          maps.send(MAP);
          poses.send(new PoseStamped(new Header(3, STAMP, "map"), HERE));
        });
    await().atMost(SOON).until(() -> remarks.contains("back"));
    Process robot = bridge.run("robot", script());
    assertThat(robot.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(robot.exitValue()).as(bridge.said("robot")).isZero();

    LaserScan scan = scans.get(0);
    assertThat(scan.header()).isEqualTo(new Header(0, STAMP, "laser"));
    assertThat(scan.ranges()).containsExactly(1.5f, Float.POSITIVE_INFINITY, 2);
    assertThat(scan.angleIncrement()).isEqualTo(1);

    String stamp = "{\"sec\":1700000000,\"nanosec\":123456789}";
    Map<String, JsonNode> said = saidByRoslibpy();
    assertThat(said.get("pose").get("header").toString())
        .isEqualTo("{\"stamp\":" + stamp + ",\"frame_id\":\"map\"}");
    assertThat(said.get("pose").at("/pose/position/y").asDouble()).isEqualTo(2.5);
    assertThat(said.get("map").get("data").toString()).isEqualTo("[-1,0,100]");
    assertThat(said.get("map").at("/info/map_load_time").toString()).isEqualTo(stamp);
    assertThat(said.get("/dynamic_map").at("/values/map/data").toString()).isEqualTo("[-1,0,100]");
    assertThat(said.get("/cartostream/save_map").get("values").toString())
        .isEqualTo("{\"success\":true,\"message\":\"written\"}");
    assertThat(bridge.said("robot").lines().findFirst().orElseThrow())
        .contains("there is no map yet");
    assertThat(remarks).containsExactly("back");
  }

  /** Nothing that was asked for has to be asked for again by the gateway. */
  @Test
  void takesUpEverythingAgainWhenTheServerHasBeenAway() throws Exception {
    List<RosOccupancyGrid> maps = new CopyOnWriteArrayList<>();
    RosNode.Publisher<RosOccupancyGrid> map = node.advertise("map", RosOccupancyGrid.TYPE, true);
    await().atMost(SOON).until(() -> map.subscribers() == 1);
    map.send(MAP);
    bridge.kill();
    await()
        .atMost(SOON)
        .until(() -> remarks.stream().anyMatch(each -> each.startsWith("away: no rosbridge")));
    assertThat(map.subscribers()).isZero();
    bridge.start();
    try (RosNode late = node("late")) {
      late.subscribe("/map", RosOccupancyGrid.TYPE, maps::add);
      await().atMost(SOON).until(() -> !maps.isEmpty());
      bridge.kill();
      await().atMost(SOON).until(() -> map.subscribers() == 0);
      maps.clear();
      bridge.start();
      await().atMost(SOON).until(() -> !maps.isEmpty());
    }
    assertThat(maps.get(0).data()).containsExactly(-1, 0, 100);
    assertThat(remarks)
        .anyMatch(each -> each.startsWith("away: rosbridge at " + bridge.uri() + " is gone"))
        .anyMatch(each -> each.startsWith("away: no rosbridge answers at " + bridge.uri()));
  }

  /** The server would close the connection at a message of more than 10 MiB. */
  @Test
  void tellsAMapThatIsLargerThanTheServersMessages() throws Exception {
    List<RosOccupancyGrid> maps = new CopyOnWriteArrayList<>();
    RosNode.Publisher<RosOccupancyGrid> map = node.advertise("map", RosOccupancyGrid.TYPE, true);
    await().atMost(SOON).until(() -> map.subscribers() == 1);
    RosOccupancyGrid large = map(3_600_000);
    map.send(large);
    try (RosNode late = node("late")) {
      late.subscribe("/map", RosOccupancyGrid.TYPE, maps::add);
      await().atMost(SOON).until(() -> !maps.isEmpty());
    }
    assertThat(maps.get(0).data()).isEqualTo(large.data());
  }

  private static RosOccupancyGrid map(int cells) {
    byte[] data = new byte[cells];
    Arrays.fill(data, (byte) 10);
    return new RosOccupancyGrid(MAP.header(), new MapMetaData(STAMP, 0.05f, cells, 1, HERE), data);
  }

  /** Its limit is not known; but the robot goes on, without the map for a while. */
  @Test
  void leavesOutAMapAtWhichTheServerClosesTheConnection() throws Exception {
    node.close();
    bridge.close();
    bridge = LocalRosbridge.started(folder, 100_000);
    node = node("cartostream");
    RosNode.Publisher<RosOccupancyGrid> map = node.advertise("map", RosOccupancyGrid.TYPE, true);
    List<Float64> heard = new CopyOnWriteArrayList<>();
    node.subscribe("/scan", Float64.TYPE, heard::add);
    await().atMost(SOON).until(() -> map.subscribers() == 1);
    map.send(map(100_000));
    await()
        .atMost(SOON)
        .until(() -> remarks.stream().anyMatch(each -> each.contains("are left out for 60 s")));
    await().atMost(SOON).until(() -> map.subscribers() == 1);
    try (RosNode robot = node("robot")) {
      RosNode.Publisher<Float64> scans = robot.advertise("/scan", Float64.TYPE, false);
      await()
          .atMost(SOON)
          .until(
              () -> {
                map.send(map(100_000));
                scans.send(new Float64(heard.size()));
                return heard.size() > 10;
              });
    }
    List<String> told = List.copyOf(remarks);
    int leftOut = 0;
    while (!told.get(leftOut).contains("are left out for 60 s")) {
      leftOut++;
    }
    assertThat(told.subList(0, leftOut))
        .filteredOn(each -> each.contains("is gone"))
        .hasSizeGreaterThanOrEqualTo(2);
    assertThat(told.subList(leftOut, told.size())).noneMatch(each -> each.contains("is gone"));
  }

  @Test
  void namesATopicOfAnotherType() throws Exception {
    node.advertise("/scan", Float64.TYPE, false);
    try (RosNode other = node("other")) {
      other.subscribe("/scan", LaserScan.TYPE, scan -> {});
      await()
          .atMost(SOON)
          .until(
              () ->
                  remarks.stream()
                      .anyMatch(
                          each ->
                              each.contains("rosbridge reports: /scan is")
                                  && each.contains("sensor_msgs/msg/LaserScan")));
    }
  }

  @Test
  void refusesAnAddressThatIsNone() {
    assertThat(RosbridgeNode.address("wss://robot:9090")).isEqualTo(URI.create("wss://robot:9090"));
    for (String wrong : List.of("robot:9090", "http://robot:9090", "ws://", "ws:// robot")) {
      assertThatThrownBy(() -> RosbridgeNode.address(wrong))
          .isInstanceOf(RosException.class)
          .hasMessageContaining("'" + wrong + "'")
          .hasMessageContaining("ws://robot:9090");
    }
  }
}
