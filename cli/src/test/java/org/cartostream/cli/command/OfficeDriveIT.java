package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.MapTraffic;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The drive through the office: {@code sim --ros} and {@code gateway} beside a real ROS master,
 * through the office of 20 x 15 m, all of it. The robot drives once; the tests look at what came of
 * it.
 *
 * <p>It drives {@value #USUAL_RATE} times as fast as a real one, for it takes more than nine
 * minutes; {@code -Dcartostream.rate=1} drives in real time.
 */
@Nightly
class OfficeDriveIT {

  private static final String USUAL_RATE = "16";
  private static final double RATE =
      Double.parseDouble(System.getProperty("cartostream.rate", USUAL_RATE));

  /**
   * A cell of the map for a robot that drives as fast as a real one, two for a faster one. Sixteen
   * times as fast, scans are left out: until the service's code is compiled for speed, seven in
   * eight of the first hundred seconds. The log without those comes to 0.02 to 0.06 m.
   */
  private static final double BOUND_METRES = RATE <= 1 ? 0.05 : 0.10;

  /** A map each second by the robot's clock, as by default; as often as the service can. */
  private static final String MAP_INTERVAL = Double.toString(1 / RATE);

  private static final long MAX_SECONDS = 120 + (long) (900 / RATE);
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final long SAME_STAMP_NANOS = 500_000;

  @TempDir private static Path folder;

  private static LocalRosMaster ros;
  private static EmbeddedBroker broker;
  private static MapTraffic traffic;
  private static Cartostream simulated;
  private static Cartostream mapped;

  @BeforeAll
  static void drive() throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    ros = LocalRosMaster.started();
    broker = EmbeddedBroker.start();
    ShutdownRequest end = new ShutdownRequest();
    try (Connection connection = connection()) {
      traffic = MapTraffic.listen(connection, "tb3");
      CompletableFuture<Cartostream> gateway =
          CompletableFuture.supplyAsync(() -> Cartostream.run(end, gateway()));
      CompletableFuture<Cartostream> sim =
          CompletableFuture.supplyAsync(() -> Cartostream.run(simulation()));
      simulated = sim.get(MAX_SECONDS, TimeUnit.SECONDS);
      end.request(130);
      mapped = gateway.get(MAX_SECONDS, TimeUnit.SECONDS);
      await().atMost(SOON).until(traffic::isOver);
    }
    System.out.printf("%s%s%s%n", simulated.out(), mapped.out(), traffic);
  }

  private static Connection connection() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(broker.uri());
    return factory.newConnection();
  }

  private static Object[] gateway() {
    return new Object[] {
      "gateway",
      "--robot",
      "tb3",
      "--ros",
      ros.uri(),
      "--broker",
      broker.uri(),
      "--with-service",
      "--out",
      folder.resolve("tb3"),
      "--set",
      "slam.particles=20",
      "--set",
      "topology.mapIntervalSeconds=" + MAP_INTERVAL
    };
  }

  private static Object[] simulation() {
    return new Object[] {
      "sim", "--world", "office", "--ros", ros.uri(), "--rate", RATE, "--out", folder
    };
  }

  @AfterAll
  static void close() throws Exception {
    if (broker != null) {
      broker.close();
    }
    if (ros != null) {
      ros.close();
    }
  }

  @Test
  void thePosesThatTheGatewayPublishedAreTheTrueOnes() {
    assertThat(simulated.err()).isEmpty();
    Matcher error = Pattern.compile("ATE ([0-9.]+) m").matcher(simulated.out());
    assertThat(error.find()).as(simulated.out()).isTrue();
    assertThat(Double.parseDouble(error.group(1))).isLessThanOrEqualTo(BOUND_METRES);
  }

  @Test
  void thePathThatTheGatewayWroteIsTheTrueOne() throws Exception {
    List<StampedPose> path = TumFile.read(folder.resolve("tb3").resolve(FileSink.TRAJECTORY));
    TreeMap<Long, StampedPose> truth = new TreeMap<>();
    TumFile.read(folder.resolve("office.reference.tum"))
        .forEach(pose -> truth.put(pose.stampNanos(), pose));
    List<StampedPose> same =
        path.stream()
            .map(pose -> truth.ceilingEntry(pose.stampNanos() - SAME_STAMP_NANOS).getValue())
            .toList();
    // Sixteen times as fast as the robot drives, a busy machine leaves out scans, which is allowed.
    assertThat(path.size()).isEqualTo(processed());
    assertThat(path.get(path.size() - 1).stampNanos() - path.get(0).stampNanos())
        .isGreaterThan((truth.lastKey() - truth.firstKey()) * 9 / 10);
    assertThat(TrajectoryError.of(path, same).rmseMetres()).isLessThanOrEqualTo(BOUND_METRES);
  }

  private static int processed() {
    Matcher count = Pattern.compile("(\\d+) processed").matcher(mapped.out());
    assertThat(count.find()).as(mapped.out()).isTrue();
    return Integer.parseInt(count.group(1));
  }

  @Test
  void noScanIsLostAndTheMapIsWritten() {
    assertThat(mapped.err()).isEmpty();
    assertThat(mapped.out()).contains(" 0 lost");
    if (RATE <= 1) {
      assertThat(mapped.out()).contains(" 0 refused");
    } else {
      // Sixteen times as fast, odometry may come too late on a busy machine, and nothing else.
      String counts =
          mapped.out().replaceAll("(FILTER_BUSY|NO_ODOMETRY|CLOCK_SKEW|TOO_MANY_WAITING)=\\d+", "");
      assertThat(counts).containsPattern(" 0 refused|\\{[, ]*\\}");
    }
    assertThat(folder.resolve("tb3"))
        .isDirectoryContaining("glob:**map.png")
        .isDirectoryContaining("glob:**map.pgm")
        .isDirectoryContaining("glob:**map.yaml");
  }

  /**
   * Whole maps are deflated as tiles are. At a higher rate the service makes fewer maps than one a
   * second by the robot's clock, and more has changed from one to the next.
   */
  @Test
  void theMapsTookATenthOfTheBytesOfWholeOnes() {
    Assumptions.assumeTrue(RATE <= 1, "needs a drive in real time: -Dcartostream.rate=1");
    assertThat(traffic.maps()).isGreaterThan(50);
    assertThat(traffic.bytes()).isLessThanOrEqualTo(traffic.bytesIfWhole() / 10);
  }

  @Test
  void theQueueOfTheGatewaysOwnServiceGoesWithIt() throws Exception {
    String queue = BrokerNames.serviceQueue("gateway-tb3");
    try (Connection connection = connection()) {
      Channel channel = connection.createChannel(); // The broker closes it with its answer.
      assertThatThrownBy(() -> channel.queueDeclarePassive(queue))
          .isInstanceOf(IOException.class)
          .hasStackTraceContaining("404");
    }
  }
}
