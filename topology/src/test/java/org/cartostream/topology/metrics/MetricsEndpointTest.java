package org.cartostream.topology.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.cartostream.broker.Version;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.localisation.LocalisationQuality.State;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.testing.Quick;
import org.cartostream.topology.Filters;
import org.cartostream.topology.ScanTopology;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.task.MatcherGroup;
import org.cartostream.topology.task.TaskContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The figures that a worker shows to Prometheus, and where. */
@Quick
class MetricsEndpointTest {

  private final ListAppender<ILoggingEvent> lines = linesOf(StatusServer.class);
  private final MetricsEndpoint endpoint = endpoint(0);

  @AfterEach
  void stopEndpoint() {
    endpoint.stop();
  }

  private String scrape() throws IOException, InterruptedException {
    return scrape(addressIn(lines));
  }

  @Test
  void isOffUnlessAHostIsNamed() {
    Config off = ScanTopology.configuration(settings("amqp://127.0.0.1"));
    assertThat((List<?>) off.get(Config.TOPOLOGY_METRICS_REPORTERS)).isEmpty();
  }

  /** As two workers of one host do it. */
  @Test
  void takesTheNextPortIfTheWantedOneIsTaken() {
    int port = addressIn(lines).getPort();
    lines.list.clear();
    MetricsEndpoint second = endpoint(port);
    assertThat(addressIn(lines).getPort()).isGreaterThan(port);
    second.stop();
  }

  @Test
  void isReadyWhileAllPartsAre() throws Exception {
    assertThat(health("live").statusCode()).isEqualTo(200);
    try (Readiness one = new Readiness("p7");
        Readiness other = new Readiness("p7")) {
      one.set(true);
      assertThat(health("ready").statusCode()).isEqualTo(503);
      assertThat(health("ready").body()).contains("p7");
      assertThat(scrape()).contains("cartostream_ready{part=\"p7\"} 0.0\n");
      other.set(true);
      assertThat(scrape()).contains("cartostream_ready{part=\"p7\"} 1.0\n");
      assertThat(health("ready").body()).as("no task is there").isEqualTo("not ready: tasks\n");
    }
    assertThat(scrape()).doesNotContain("p7");
  }

  private HttpResponse<String> health(String what) throws IOException, InterruptedException {
    URI address = addressIn(lines).resolve("/health/" + what);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void tellsItsVersions() throws Exception {
    assertThat(scrape())
        .contains(
            "cartostream_build_info{java=\"%s\",version=\"%s\"} 1"
                .formatted(System.getProperty("java.version"), Version.current()));
  }

  /** A robot that left is seen no more; one that comes again begins at nothing. */
  @Test
  void forgetsARobotThatLeft() throws Exception {
    RobotMeters robot = new RobotMeters("gone", 2);
    robot.restored(5);
    assertThat(scrape()).contains("cartostream_restores_total{robot=\"gone\"} 5");
    robot.close();
    assertThat(scrape()).doesNotContain("gone");
  }

  @Test
  void showsARunsCheckpointsWhileItGoesOn() throws Exception {
    CheckpointMeters meters = new CheckpointMeters("r7");
    meters.show();
    meters.stored(4096, 1_500_000_000);
    meters.failed();
    MemoryMeters memoryMeters = new MemoryMeters("r7");
    memoryMeters.show();
    memoryMeters.takes(1 << 20);
    assertThat(scrape())
        .contains("cartostream_maps_bytes{robot=\"r7\"} 1048576.0")
        .contains("cartostream_checkpoint_bytes{robot=\"r7\"} 4096")
        .contains("cartostream_checkpoint_took_seconds{robot=\"r7\"} 1.5")
        .contains("cartostream_checkpoint_failures_total{robot=\"r7\"} 1")
        .contains("cartostream_checkpoint_age_seconds{robot=\"r7\"} ");
    meters.close();
    memoryMeters.close();
    assertThat(scrape()).doesNotContain("r7");
  }

  @Test
  void showsHowWellARobotIsLocalised() throws Exception {
    RobotMeters maps = new RobotMeters("r8", 1);
    RobotMeters localises = new RobotMeters("r9", 1);
    maps.outcome(processed(null));
    localises.outcome(processed(new LocalisationQuality(0.9, 0.25, 0.125, 0.5, State.AMBIGUOUS)));
    assertThat(scrape())
        .doesNotContain("cartostream_localisation_fit{robot=\"r8\"")
        .contains("cartostream_localisation_fit{robot=\"r9\"} 0.9\n")
        .contains("cartostream_localisation_share{robot=\"r9\"} 0.5\n")
        .contains("cartostream_localisation_deviation_meters{robot=\"r9\"} 0.25\n")
        .contains("cartostream_localisation_heading_deviation_radians{robot=\"r9\"} 0.125\n")
        .contains("cartostream_localisation_state{robot=\"r9\",state=\"AMBIGUOUS\"} 1.0\n")
        .contains("cartostream_localisation_state{robot=\"r9\",state=\"OK\"} 0.0\n");
    localises.outcome(processed(new LocalisationQuality(0.25, 0.5, 1, 1, State.LOST)));
    assertThat(scrape())
        .contains("cartostream_localisation_fit{robot=\"r9\"} 0.25\n")
        .contains("cartostream_localisation_state{robot=\"r9\",state=\"AMBIGUOUS\"} 0.0\n")
        .contains("cartostream_localisation_state{robot=\"r9\",state=\"LOST\"} 1.0\n");
    maps.close();
    localises.close();
    assertThat(scrape()).doesNotContain("r9");
  }

  private static Outcome processed(LocalisationQuality quality) {
    return new Outcome.Processed(
        new RobotPose(Pose.ORIGIN, Correction.NONE, 10, 1).withQuality(quality), false, 1000);
  }

  @Test
  void showsWhatATaskDropsOfOneThatIsBehind() throws Exception {
    String late = "cartostream_collectives_dropped_total{reason=\"late\",task=\"0\"} ";
    try (MatcherGroup ahead = membership(0);
        MatcherGroup behind = membership(1)) {
      ahead.communicator().barrier(new OperationKey("r1", 1, 2));
      assertThat(scrape()).contains(late + "0.0");
      behind.communicator().barrier(new OperationKey("r1", 1, 1));
      assertThat(scrape()).contains(late + "1.0");
    }
    assertThat(scrape()).doesNotContain(late);
  }

  private static MatcherGroup membership(int task) {
    TaskContext taskContext =
        new TaskContext(
            task,
            2,
            "metrics",
            ZooKeeperAccess.plain(""),
            "127.0.0.1",
            System::nanoTime,
            Runnable::run);
    return MatcherGroup.of(taskContext, settings("amqp://127.0.0.1"));
  }

  private static MetricsEndpoint endpoint(int port) {
    Map<String, Object> reporter =
        new TreeMap<>(
            MetricsEndpoint.reporters(
                    settings(
                            "amqp://127.0.0.1",
                            "metricsHost",
                            "127.0.0.1",
                            "metricsPort",
                            Integer.toString(port))
                        .topology())
                .get(0));
    MetricsEndpoint endpoint = new MetricsEndpoint();
    endpoint.prepare(new org.apache.storm.metrics2.StormMetricRegistry(), Map.of(), reporter);
    endpoint.start();
    return endpoint;
  }

  static ServiceSettings settings(String uri, String... topology) {
    Map<String, String> values = new TreeMap<>(Map.of("tasks", "2"));
    for (int i = 0; i < topology.length; i += 2) {
      values.put(topology[i], topology[i + 1]);
    }
    return new ServiceSettings(
        Filters.restless(10),
        BrokerSettings.defaults().withUri(uri),
        Settings.build(TopologySettings.class, values));
  }

  static ListAppender<ILoggingEvent> linesOf(Class<?> type) {
    Logger logger = (Logger) LoggerFactory.getLogger(type);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(lines);
    return lines;
  }

  static URI addressIn(ListAppender<ILoggingEvent> lines) {
    await().atMost(Duration.ofSeconds(120)).until(() -> !lines.list.isEmpty());
    return URI.create(lines.list.get(0).getFormattedMessage().replace("metrics: ", ""));
  }

  static String scrape(URI address) throws IOException, InterruptedException {
    HttpResponse<String> page =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(60)).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
    return page.body();
  }
}
