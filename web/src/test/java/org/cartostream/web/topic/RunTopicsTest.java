package org.cartostream.web.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Marker;
import org.cartostream.ros.message.OccupancyGridUpdate;
import org.cartostream.ros.message.PoseArray;
import org.cartostream.ros.message.PoseStamped;
import org.cartostream.ros.message.PoseWithCovarianceStamped;
import org.cartostream.ros.message.RosLog;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.message.RosPath;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RunTopicsTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private record Sent(Topic topic, long stampNanos, byte[] bytes) {}

  private final List<Sent> sent = new ArrayList<>();
  private final RunTopics topics =
      new RunTopics((topic, stampNanos, bytes) -> sent.add(new Sent(topic, stampNanos, bytes)));

  private static Reading reading(long stampNanos, Pose odometry) {
    Scan scan = new Scan(new Pose(0.2, 0, 0.1), -1, 0.5, 0.1, 8, new float[] {1, 2, 3, 4, 5});
    return new Reading(stampNanos, odometry, scan);
  }

  private static Outcome processed(Pose local, Correction correction) {
    return new Outcome.Processed(new RobotPose(local, correction, 12.5, 3), true, 4_000_000);
  }

  private <M extends Record> List<M> all(Topic topic, MessageType<M> type) {
    return sent.stream()
        .filter(each -> each.topic() == topic)
        .map(each -> type.decodeCdr(each.bytes()))
        .toList();
  }

  private List<JsonNode> objects(Topic topic) throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    for (Sent each : sent) {
      if (each.topic() == topic) {
        objects.add(new ObjectMapper().readTree(each.bytes()));
      }
    }
    return objects;
  }

  private List<String> sentences() {
    return all(Topic.LOG, RosLog.TYPE).stream().map(RosLog::msg).toList();
  }

  private static double yaw(TransformStamped transform) {
    return 2
        * Math.atan2(transform.transform().rotation().z(), transform.transform().rotation().w());
  }

  @Test
  void particlesAreAnArrayOfPosesInTheMapFrame() {
    topics.particles(
        new ParticlesMessage(
            List.of(new Pose(1, 2, Math.PI / 2), new Pose(-3, 0, 0)), List.of(0, 1)),
        5 * SECOND);
    PoseArray cloud = all(Topic.PARTICLES, PoseArray.TYPE).get(0);
    assertThat(cloud.header().frameId()).isEqualTo("map");
    assertThat(cloud.header().stamp()).isEqualTo(5 * SECOND);
    assertThat(cloud.poses()).extracting(each -> each.position().x()).containsExactly(1.0, -3.0);
    assertThat(cloud.poses().get(0).orientation().z()).isCloseTo(Math.sqrt(0.5), within(1e-12));
  }

  @Test
  void theTasksOfParticlesFollowThem() throws IOException {
    topics.particles(
        new ParticlesMessage(List.of(Pose.ORIGIN, new Pose(1, 0, 0)), List.of(3, 0)), SECOND);
    assertThat(sent).extracting(Sent::topic).containsExactly(Topic.PARTICLES, Topic.PARTICLE_TASKS);
    assertThat(objects(Topic.PARTICLE_TASKS).get(0).toString()).isEqualTo("{\"tasks\":[3,0]}");
  }

  private static List<Double> ends(Marker lines) {
    return lines.points().stream().flatMap(each -> Stream.of(each.x(), each.y())).toList();
  }

  @Test
  void loopsAreLinesInTheMapFrame() {
    StampedPose early = new StampedPose(SECOND, new Pose(1, 2, 0.5));
    StampedPose late = new StampedPose(9 * SECOND, new Pose(1.5, 2.5, 0));
    StampedPose between = new StampedPose(4 * SECOND, new Pose(8, 8, 0));
    topics.loops(List.of(new ClosedLoop(early, late), new ClosedLoop(between, late)), 10 * SECOND);
    Marker lines = all(Topic.LOOPS, Marker.TYPE).get(0);
    assertThat(lines.header().frameId()).isEqualTo("map");
    assertThat(lines.type()).as("LINE_LIST").isEqualTo(5);
    assertThat(lines.action()).as("ADD").isZero();
    assertThat(ends(lines)).containsExactly(1.0, 2.0, 1.5, 2.5, 8.0, 8.0, 1.5, 2.5);
    topics.begin("r", 0);
    assertThat(ends(all(Topic.LOOPS, Marker.TYPE).get(1))).as("of another run").isEmpty();
  }

  @Test
  void aReadingIsItsScanAndTheTransformsFromTheMapToTheLaser() {
    topics.begin("r", 1);
    Pose odometry = new Pose(1, 2, 0.3);
    Pose pose = new Pose(4, -3, 2);
    topics.outcome(1, reading(7 * SECOND, odometry), processed(pose, Correction.NONE));
    LaserScan scan = all(Topic.SCAN, LaserScan.TYPE).get(0);
    assertThat(scan.ranges()).containsExactly(1, 2, 3, 4, 5);
    assertThat(scan.angleMin()).isEqualTo(-1);
    assertThat(scan.angleMax()).isEqualTo(1);
    assertThat(scan.header().stamp()).isEqualTo(7 * SECOND);
    assertThat(scan.header().frameId()).isEqualTo("laser");
    Pose chained = Pose.ORIGIN;
    List<TransformStamped> chain = new ArrayList<>();
    all(Topic.TF, TfMessage.TYPE).forEach(each -> chain.addAll(each.transforms()));
    for (String child : List.of("odom", "base_link")) {
      TransformStamped link =
          chain.stream().filter(each -> each.childFrameId().equals(child)).findAny().orElseThrow();
      chained =
          chained.then(
              new Pose(
                  link.transform().translation().x(),
                  link.transform().translation().y(),
                  yaw(link)));
    }
    assertThat(chained.distance(pose)).isLessThan(1e-12);
    assertThat(Pose.wrap(chained.theta() - 2)).isCloseTo(0, within(1e-12));
    TransformStamped mount = all(Topic.TF_STATIC, TfMessage.TYPE).get(0).transforms().get(0);
    assertThat(mount.transform().translation().x()).isEqualTo(0.2);
    assertThat(yaw(mount)).isCloseTo(0.1, within(1e-12));
    PoseStamped told = all(Topic.POSE, PoseStamped.TYPE).get(0);
    assertThat(told.pose().position().x()).isEqualTo(4);
    assertThat(told.pose().position().y()).isEqualTo(-3);
  }

  @Test
  void aPoseWhoseCovarianceIsKnownIsSentWithIt() {
    RobotPose pose = new RobotPose(new Pose(4, -3, 2), Correction.NONE, 12.5, 3);
    SymmetricMatrix3 covariance = new SymmetricMatrix3(4, 1, 0.5, 2, 0.25, 0.125);
    topics.outcome(1, reading(1, Pose.ORIGIN), new Outcome.Processed(pose, false, 1));
    assertThat(all(Topic.SURE_POSE, PoseWithCovarianceStamped.TYPE)).isEmpty();
    topics.outcome(
        2,
        reading(2, Pose.ORIGIN),
        new Outcome.Processed(pose.withCovariance(covariance), false, 1));
    PoseWithCovarianceStamped told = all(Topic.SURE_POSE, PoseWithCovarianceStamped.TYPE).get(0);
    assertThat(told.pose().pose().position().x()).isEqualTo(4);
    assertThat(told.pose().covariance()).startsWith(4, 1, 0, 0, 0, 0.5, 1, 2).endsWith(0.125);
  }

  /** A laser does not move on its robot. */
  @Test
  void theMountIsSentOnce() {
    for (int i = 1; i <= 3; i++) {
      topics.outcome(i, reading(i * SECOND, Pose.ORIGIN), new Outcome.Lost("no"));
    }
    assertThat(all(Topic.TF_STATIC, TfMessage.TYPE)).hasSize(1);
    assertThat(all(Topic.SCAN, LaserScan.TYPE)).hasSize(3);
    assertThat(all(Topic.POSE, PoseStamped.TYPE)).isEmpty();
  }

  @Test
  void eachOutcomeIsCounted() throws IOException {
    topics.outcome(0, null, new Outcome.Refused("ALL_BEAMS_INVALID", "all 5 beams are NaN"));
    topics.outcome(1, reading(SECOND, Pose.ORIGIN), processed(Pose.ORIGIN, Correction.NONE));
    topics.outcome(2, reading(2 * SECOND, Pose.ORIGIN), new Outcome.Lost("a process died"));
    List<JsonNode> counters = objects(Topic.COUNTERS);
    assertThat(counters).hasSize(3);
    assertThat(counters.get(2).toString())
        .isEqualTo(
            "{\"reading\":2,\"processed\":1,\"refused\":1,\"lost\":1,\"neff\":12.5,"
                + "\"millis\":0.0,\"searched\":false}");
    assertThat(counters.get(1).get("millis").asDouble()).isEqualTo(4);
    assertThat(sentences())
        .containsExactly(
            "reading 0 is refused: all 5 beams are NaN", "reading 2 is lost: a process died");
  }

  @Test
  void correctionsAndJumpsAreSaid() {
    Correction first = new Correction(1, new Pose(5, 0, 0), 5);
    topics.outcome(1, reading(1, Pose.ORIGIN), processed(Pose.ORIGIN, Correction.NONE));
    topics.outcome(2, reading(2, Pose.ORIGIN), processed(new Pose(0.3, 0, 0), Correction.NONE));
    topics.outcome(3, reading(3, Pose.ORIGIN), processed(new Pose(0.3, 0, 0), first));
    topics.outcome(4, reading(4, Pose.ORIGIN), processed(new Pose(0.35, 0, 0), first));
    assertThat(sentences())
        .containsExactly(
            "the robot's pose moves by 0.30 m beyond odometry; no loop was closed",
            "map corrected (1): loops move the robot's pose by 5.00 m");
  }

  /** Whoever is told so with each answer. */
  @Test
  void theLinksTroubleIsSaidWhenItChanges() {
    for (String trouble : List.of("", "the broker is away", "the broker is away", "", "")) {
      topics.link(trouble);
    }
    assertThat(sentences())
        .containsExactly("the broker is away", "the link to the service is well again");
  }

  /** A robot's next run begins with an empty map, and counts anew. */
  @Test
  void anotherRunBeginsWithNothing() throws IOException {
    Correction third = new Correction(3, new Pose(5, 0, 0), 5);
    topics.outcome(1, reading(1, Pose.ORIGIN), processed(new Pose(9, 0, 0), third));
    topics.map(grid(2, 1, new byte[2]), 3, 1);
    sent.clear();
    topics.begin("r", 1);
    topics.repeatMap();
    assertThat(all(Topic.MAP, RosOccupancyGrid.TYPE)).isEmpty();
    topics.outcome(1, reading(2, Pose.ORIGIN), processed(Pose.ORIGIN, Correction.NONE));
    Correction first = new Correction(1, new Pose(1, 0, 0), 1);
    topics.outcome(2, reading(3, Pose.ORIGIN), processed(Pose.ORIGIN, first));
    assertThat(sentences())
        .containsExactly("map corrected (1): loops move the robot's pose by 1.00 m");
    assertThat(objects(Topic.COUNTERS).get(1).get("processed").asInt()).isEqualTo(2);
  }

  // --- maps ------------------------------------------------------------------------------------

  private static OccupancyGrid grid(int width, int height, byte[] cells) {
    return new OccupancyGrid(width, height, 0.05, -1, -2, cells);
  }

  /** The maps as a viewer has them who takes whole ones and updates in turn. */
  private List<byte[]> viewed() {
    List<byte[]> states = new ArrayList<>();
    byte[] cells = {};
    long width = 0;
    for (Sent each : sent) {
      if (each.topic() == Topic.MAP) {
        RosOccupancyGrid whole = RosOccupancyGrid.TYPE.decodeCdr(each.bytes());
        cells = whole.data().clone();
        width = whole.info().width();
      } else if (each.topic() == Topic.MAP_UPDATES) {
        OccupancyGridUpdate update = OccupancyGridUpdate.TYPE.decodeCdr(each.bytes());
        for (int row = 0; row < update.height(); row++) {
          int to = (int) ((update.y() + row) * width + update.x());
          System.arraycopy(
              update.data(), (int) (row * update.width()), cells, to, (int) update.width());
        }
      } else if (each.topic() == Topic.MAP_STATE) {
        states.add(cells.clone());
      }
    }
    return states;
  }

  /** Any cells change, maps grow, and time goes on. */
  @Test
  void aViewerHasEachMapToTheCell() throws Exception {
    long seed = 20_261_126;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<byte[]> maps = new ArrayList<>();
    int width = 10;
    byte[] cells = new byte[width * 8];
    long stamp = 1000 * SECOND;
    for (int i = 0; i < 200; i++) {
      stamp += random.nextInt(5) * SECOND;
      if (random.nextInt(20) == 0) {
        width++;
        cells = new byte[width * 8];
      } else {
        cells = cells.clone();
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
          int cell = random.nextInt(cells.length);
          cells[cell] = (byte) (cells[cell] == 0 ? 100 : cells[cell] - 1);
        }
      }
      maps.add(cells);
      topics.map(grid(width, 8, cells), 3, stamp);
    }
    List<byte[]> viewed = viewed();
    assertThat(viewed).hasSameSizeAs(maps);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    List<JsonNode> states = objects(Topic.MAP_STATE);
    for (int i = 0; i < maps.size(); i++) {
      assertThat(viewed.get(i)).as("map %d", i).isEqualTo(maps.get(i));
      assertThat(states.get(i).get("sha256").asText())
          .isEqualTo(HexFormat.of().formatHex(digest.digest(maps.get(i))));
    }
    assertThat(all(Topic.MAP, RosOccupancyGrid.TYPE).size()).isBetween(10, 40);
  }

  @Test
  void aWholeMapComesAtLeastEachHalfMinute() {
    byte[] cells = new byte[12];
    for (int i = 0; i <= 120; i++) {
      cells = cells.clone();
      cells[5]++;
      topics.map(grid(4, 3, cells), 0, i * SECOND);
    }
    List<RosOccupancyGrid> whole = all(Topic.MAP, RosOccupancyGrid.TYPE);
    assertThat(whole)
        .extracting(each -> each.header().stamp() / SECOND)
        .containsExactly(0L, 30L, 60L, 90L, 120L);
    OccupancyGridUpdate update = all(Topic.MAP_UPDATES, OccupancyGridUpdate.TYPE).get(0);
    assertThat(update.x()).isEqualTo(1);
    assertThat(update.y()).isEqualTo(1);
    assertThat(update.data()).hasSize(1);
  }

  @Test
  void anUnchangedMapSendsNothing() {
    topics.map(grid(2, 1, new byte[2]), 0, 0);
    sent.clear();
    topics.map(grid(2, 1, new byte[2]), 0, SECOND);
    assertThat(sent).isEmpty();
  }

  @Test
  void theEndIsTheWholePathAndTheWholeMap() {
    topics.outcome(1, reading(9 * SECOND, Pose.ORIGIN), processed(Pose.ORIGIN, Correction.NONE));
    topics.map(grid(2, 1, new byte[2]), 0, 9 * SECOND);
    topics.result(
        grid(2, 1, new byte[] {100, 0}),
        List.of(
            new PathPose(1, 3 * SECOND, new Pose(1, 1, 0)),
            new PathPose(2, 9 * SECOND, Pose.ORIGIN)));
    RosPath path = all(Topic.PATH, RosPath.TYPE).get(0);
    assertThat(path.poses())
        .extracting(each -> each.header().stamp())
        .containsExactly(3 * SECOND, 9 * SECOND);
    List<RosOccupancyGrid> maps = all(Topic.MAP, RosOccupancyGrid.TYPE);
    assertThat(maps.get(maps.size() - 1).data()).containsExactly(100, 0);
    assertThat(maps.get(maps.size() - 1).header().stamp()).isEqualTo(9 * SECOND);
  }
}
