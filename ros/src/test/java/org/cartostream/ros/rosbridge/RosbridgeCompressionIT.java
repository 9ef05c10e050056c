package org.cartostream.ros.rosbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.cartostream.ros.local.LocalRosbridge;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.MasterMonitor;
import org.cartostream.ros.node.RosNode;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans from servers that compress in different ways, or in none. */
@Default
class RosbridgeCompressionIT {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int BEAMS = 720;

  @TempDir private Path folder;

  private LaserScan sent;

  @BeforeEach
  void needed() {
    LocalRosbridge.missing().ifPresent(why -> Assumptions.abort(why));
  }

  private static LaserScan scan(int intensities) {
    Random random = new Random(35);
    float[] ranges = new float[BEAMS];
    for (int i = 0; i < BEAMS; i++) {
      ranges[i] = i % 10 == 0 ? Float.POSITIVE_INFINITY : 12 * random.nextFloat();
    }
    float[] strengths = new float[intensities];
    for (int i = 0; i < intensities; i++) {
      strengths[i] = random.nextInt(256);
    }
    Header header = new Header(0, 1_700_000_000_123_456_789L, "laser");
    return new LaserScan(header, -3.1f, 3.1f, 0.0086f, 0, 0.1f, 0.1f, 12, ranges, strengths);
  }

  /** Sends the scan through a server until one comes that is wanted. */
  private LaserScan received(LocalRosbridge bridge, Predicate<LaserScan> wanted) {
    List<LaserScan> scans = new CopyOnWriteArrayList<>();
    try (RosNode node = node(bridge, "cartostream");
        RosNode robot = node(bridge, "robot")) {
      node.subscribe("/scan", LaserScan.TYPE, scans::add);
      RosNode.Publisher<LaserScan> publisher = robot.advertise("/scan", LaserScan.TYPE, false);
      await()
          .atMost(SOON)
          .until(
              () -> {
                publisher.send(sent);
                return scans.stream().anyMatch(wanted);
              });
      return scans.stream().filter(wanted).findFirst().orElseThrow();
    }
  }

  private static RosNode node(LocalRosbridge bridge, String name) {
    return RosbridgeNode.start(
        bridge.uri(), new GraphNames("/", name, Map.of()), new MasterMonitor());
  }

  private static boolean hasInfinity(LaserScan scan) {
    return scan.ranges()[0] == Float.POSITIVE_INFINITY;
  }

  /** A compressed scan's share of its bytes in JSON, by what the server has printed. */
  private static double share(LocalRosbridge bridge, String compression) throws Exception {
    String[] words =
        bridge
            .said("rosbridge")
            .lines()
            .filter(line -> line.startsWith("bytes " + compression + " "))
            .findFirst()
            .orElseThrow()
            .split(" ");
    return Double.parseDouble(words[2]) / Double.parseDouble(words[3]);
  }

  @ParameterizedTest
  @CsvSource({"0, 0.25", BEAMS + ", 0.4"})
  void aScanHasFewBytesAndInfinity(int intensities, double max) throws Exception {
    sent = scan(intensities);
    try (LocalRosbridge bridge = LocalRosbridge.started(folder)) {
      LaserScan scan = received(bridge, RosbridgeCompressionIT::hasInfinity);
      assertThat(scan.ranges()).isEqualTo(sent.ranges());
      assertThat(scan.intensities()).isEqualTo(sent.intensities());
      assertThat(share(bridge, "cbor-raw")).isBetween(0.1, max);
    }
  }

  /** Whether it refuses what it does not know, or sends JSON and says nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"cbor,none", "cbor"})
  void aServerWithoutCborRawSendsCbor(String compressions) throws Exception {
    sent = scan(BEAMS);
    try (LocalRosbridge bridge = LocalRosbridge.started(folder, compressions)) {
      LaserScan scan = received(bridge, RosbridgeCompressionIT::hasInfinity);
      assertThat(scan.header()).isEqualTo(sent.header());
      assertThat(scan.rangeMax()).isEqualTo(12);
      assertThat(scan.ranges()).isEqualTo(sent.ranges());
      assertThat(scan.intensities()).isEqualTo(sent.intensities());
      assertThat(share(bridge, "cbor")).isBetween(0.1, 0.4);
    }
  }

  /** Of JSON infinity is not to be had. */
  @Test
  void aServerThatRefusesBothSendsJson() throws Exception {
    sent = scan(0);
    try (LocalRosbridge bridge = LocalRosbridge.started(folder, "none")) {
      LaserScan scan = received(bridge, each -> true);
      assertThat(scan.ranges()[0]).isNaN();
      assertThat(scan.ranges()[1]).isEqualTo(sent.ranges()[1]);
      assertThat(bridge.said("rosbridge")).doesNotContain("bytes");
    }
  }
}
