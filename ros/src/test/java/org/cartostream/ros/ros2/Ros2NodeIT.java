package org.cartostream.ros.ros2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.cartostream.ros.local.LocalCyclone;
import org.cartostream.ros.message.Float64;
import org.cartostream.ros.message.GetMap;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.MapMetaData;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.Transform;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.ros.message.Vector3;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With Cyclone DDS at the other end, in its default configuration, by unicast on 127.0.0.1. */
@Default
class Ros2NodeIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int DOMAIN = 71;
  private static final long STAMP = 1_700_000_000_123_456_789L;
  private static final RosPose HERE =
      new RosPose(new Vector3(1, 2.5, 0), new Quaternion(0, 0, 0, 1));

  /** 90 m square at 0.05 m. */
  private static final int LARGE = 1800;

  @TempDir private Path folder;

  private final GraphRemarks remarks = new GraphRemarks();
  private final List<RosNode> nodes = new ArrayList<>();
  private LocalCyclone cyclone;
  private RosNode node;

  @BeforeEach
  void start() {
    LocalCyclone.missing().ifPresent(why -> Assumptions.abort(why));
    cyclone = new LocalCyclone(folder, DOMAIN);
    node = node(DOMAIN, "cartostream");
  }

  private RosNode node(int domain, String name) {
    return node(domain, new GraphNames("/", name, Map.of()));
  }

  private RosNode node(int domain, GraphNames names) {
    RosNode started =
        Ros2Node.start(
            Ros2Environment.access(Map.of("ROS_DOMAIN_ID", Integer.toString(domain)), "127.0.0.1"),
            names,
            remarks);
    nodes.add(started);
    return started;
  }

  @AfterEach
  void stop() throws Exception {
    nodes.forEach(RosNode::close);
    if (cyclone != null) {
      cyclone.close();
    }
  }

  private static RosOccupancyGrid map(int side) {
    byte[] cells = new byte[side * side];
    new Random(side).nextBytes(cells);
    return new RosOccupancyGrid(
        new Header(0, STAMP, "map"), new MapMetaData(STAMP, 0.05f, side, side, HERE), cells);
  }

  private static String crc(RosOccupancyGrid map) {
    CRC32 crc = new CRC32();
    crc.update(map.data());
    return Long.toString(crc.getValue());
  }

  @Test
  void scansAndTransformsByBestEffortArrive() throws Exception {
    List<LaserScan> scans = new CopyOnWriteArrayList<>();
    List<TfMessage> transforms = new CopyOnWriteArrayList<>();
    node.subscribe("scan", LaserScan.TYPE, scans::add);
    node.subscribe("/tf", TfMessage.TYPE, transforms::add);
    cyclone.start("robot");
    await().atMost(SOON).until(() -> scans.size() > 20 && transforms.size() > 20);
    LaserScan scan = scans.get(0);
    assertThat(scan.header().frameId()).isEqualTo("laser");
    assertThat(scan.ranges()).hasSize(720);
    assertThat(scan.ranges()[717]).isEqualTo(1 + 717 / 100f);
    assertThat(scan.ranges()[718]).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(scan.ranges()[719]).isNaN();
    TransformStamped first = transforms.get(0).transforms().get(0);
    TransformStamped second = transforms.get(1).transforms().get(0);
    assertThat(first.childFrameId()).isEqualTo("base_link");
    assertThat(second.transform().translation().x() - first.transform().translation().x())
        .isBetween(0.0009, 0.0011);
  }

  @Test
  void aMapArrivesAlsoWhenItIsLargeOrTheSubscriberLate() throws Exception {
    RosOccupancyGrid large = map(LARGE);
    RosNode.Publisher<RosOccupancyGrid> publisher =
        node.advertise("map", RosOccupancyGrid.TYPE, true);
    publisher.send(map(3));
    cyclone.start("map");
    await().atMost(SOON).until(() -> cyclone.said("map").contains("map 3 3 map " + crc(map(3))));
    publisher.send(large);
    String line = "map " + LARGE + " " + LARGE + " map " + crc(large);
    await().atMost(SOON).until(() -> cyclone.said("map").contains(line));
    cyclone.start("late");
    await()
        .atMost(SOON)
        .until(() -> cyclone.said("late").contains(line.replaceFirst("map", "late")));
    assertThat(cyclone.said("late")).hasSize(1);
    assertThat(publisher.subscribers()).isEqualTo(2);
  }

  @Test
  void reliableSamplesArriveInOrderBothWays() throws Exception {
    List<Integer> counted = new CopyOnWriteArrayList<>();
    node.subscribe(
        "count", Float64.TYPE, TopicQos.RELIABLE, each -> counted.add((int) each.data()));
    RosNode.Publisher<Float64> numbers = node.advertise("numbers", Float64.TYPE, false);
    cyclone.start("count", "numbers");
    await().atMost(SOON).until(() -> numbers.subscribers() == 1);
    for (int i = 0; i < 100; i++) {
      numbers.send(new Float64(i));
    }
    await().atMost(SOON).until(() -> counted.contains(399));
    assertThat(counted).isEqualTo(IntStream.range(0, 400).boxed().toList());
    await().atMost(SOON).until(() -> cyclone.said("count", "numbers").contains("number 99"));
    assertThat(cyclone.said("count", "numbers"))
        .isEqualTo(IntStream.range(0, 100).mapToObj(i -> "number " + i).toList());
  }

  @Test
  void theGraphShowsTheNodeWithItsEndpoints() throws Exception {
    node.advertise("map", RosOccupancyGrid.TYPE, true);
    node.subscribe("scan", LaserScan.TYPE, scan -> {});
    node.subscribe("/tf", TfMessage.TYPE, message -> {});
    cyclone.start("graph");
    await().atMost(SOON).until(() -> cyclone.said("graph").contains("node / cartostream 2 1 True"));
  }

  /** Its identities are longer, and what has others may take all of its memory. */
  @Test
  void theGraphOfHumbleShowsItToo() throws Exception {
    node.advertise("map", RosOccupancyGrid.TYPE, true);
    cyclone.start("humble");
    cyclone.start("graph");
    List<String> once = List.of("node / cartostream 0 1 True");
    for (String release : List.of("humble", "graph")) {
      await().atMost(SOON).until(() -> !cyclone.said(release).isEmpty());
      assertThat(cyclone.said(release)).as(release).isEqualTo(once);
    }
  }

  @Test
  void aNodeInANamespaceHasItsTopicsThereUnlessTheyAreRemapped() throws Exception {
    GraphNames names = new GraphNames("/robot1", "mapper", Map.of("scan", "/scan"));
    RosNode there = node(DOMAIN, names);
    List<LaserScan> scans = new CopyOnWriteArrayList<>();
    there.subscribe("scan", LaserScan.TYPE, scans::add);
    RosNode.Publisher<Float64> numbers = there.advertise("numbers", Float64.TYPE, false);
    cyclone.start("robot");
    cyclone.start("graph");
    cyclone.start("namespaced");
    await().atMost(SOON).until(() -> !scans.isEmpty());
    await()
        .atMost(SOON)
        .until(() -> cyclone.said("graph").contains("node /robot1 mapper 1 1 True"));
    await().atMost(SOON).until(() -> numbers.subscribers() == 1);
    numbers.send(new Float64(7));
    await().atMost(SOON).until(() -> cyclone.said("namespaced").contains("number 7"));
  }

  @Test
  void transformsArrive() throws Exception {
    RosNode.Publisher<TfMessage> tf = node.advertise("/tf", TfMessage.TYPE, false);
    cyclone.start("tf");
    await().atMost(SOON).until(() -> tf.subscribers() == 1);
    tf.send(
        new TfMessage(
            List.of(
                new TransformStamped(
                    new Header(0, STAMP, "map"),
                    "odom",
                    new Transform(HERE.position(), HERE.orientation())))));
    await()
        .atMost(SOON)
        .until(() -> cyclone.said("tf").stream().anyMatch(each -> each.startsWith("tf map odom ")));
  }

  @Test
  void aServiceAnswers() throws Exception {
    node.advertiseService("dynamic_map", GetMap.TYPE, asked -> new GetMap.Response(map(LARGE)));
    cyclone.start("call");
    await()
        .atMost(SOON)
        .until(() -> cyclone.said("call").contains("reply 4711 3 " + LARGE + " " + LARGE));
    assertThat(cyclone.said("call")).hasSize(3);
  }

  @Test
  void whoCannotBeMatchedIsNamedWithTheReason() throws Exception {
    node.subscribe("count", Float64.TYPE, TopicQos.RELIABLE, each -> {});
    node.advertise("numbers", Float64.TYPE, false);
    cyclone.start("wrong");
    await().atMost(SOON).until(() -> remarks.all.stream().filter(this::isTrouble).count() == 4);
    assertThat(remarks.all.stream().filter(this::isTrouble))
        .allMatch(each -> each.contains("the participant at 127.0.0.1:"))
        .anyMatch(each -> each.contains("has it as sensor_msgs::msg::dds_::LaserScan_"))
        .anyMatch(each -> each.contains("asks for durability transient_local"))
        .anyMatch(each -> each.contains("publishes by best effort"))
        .anyMatch(each -> each.contains("publishes in XCDR2"));
  }

  private boolean isTrouble(String remark) {
    return remark.startsWith("/");
  }

  @Test
  void twoDomainsDoNotHearEachOther() throws Exception {
    List<Float64> here = new CopyOnWriteArrayList<>();
    List<Float64> there = new CopyOnWriteArrayList<>();
    RosNode other = node(DOMAIN + 1, "other");
    node.subscribe("count", Float64.TYPE, here::add);
    other.subscribe("count", Float64.TYPE, there::add);
    cyclone.start("count");
    await().atMost(SOON).until(() -> here.size() > 50);
    assertThat(there).isEmpty();
  }

  @Test
  void tenParticipantsFindEachOther() throws Exception {
    List<Float64> received = new CopyOnWriteArrayList<>();
    List<RosNode.Publisher<Float64>> publishers = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      RosNode each = node(DOMAIN, "node" + i);
      each.subscribe("numbers", Float64.TYPE, TopicQos.RELIABLE, received::add);
      publishers.add(each.advertise("numbers", Float64.TYPE, false));
    }
    cyclone.start("numbers");
    cyclone.start("here", "numbers");
    cyclone.start("numbers", "here");
    await().atMost(SOON).until(() -> publishers.stream().allMatch(each -> each.subscribers() == 9));
    publishers.forEach(each -> each.send(new Float64(5)));
    await().atMost(SOON).until(() -> received.size() == 7 * 6);
    await().atMost(SOON).until(() -> cyclone.said("numbers").size() == 7);
  }

  @Test
  void whoLeavesIsLetGo() throws Exception {
    Process peer = cyclone.start("here");
    await().atMost(SOON).until(() -> remarks.all.contains("back"));
    peer.destroy();
    peer.waitFor();
    await()
        .atMost(SOON)
        .until(() -> remarks.all.get(remarks.all.size() - 1).startsWith("away: no other"));
    assertThat(remarks.all.get(0)).contains("domain 71").contains("127.0.0.1");
  }
}
