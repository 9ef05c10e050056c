package org.cartostream.topology.metrics;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Offset;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Default;
import org.cartostream.topology.Answers;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Recorded;
import org.cartostream.topology.Robot;
import org.cartostream.topology.local.LocalService;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.Test;

/** What a worker shows to Prometheus, against what the robot's report says. */
@Default
class MetricsEndpointIT {

  private static final Pattern SAMPLE =
      Pattern.compile("^([a-z_:]+(?:\\{.*})?) (\\S+)$", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("\\b(cartostream|jvm|process)_[a-z_]+");

  @Test
  void showsWhatTheReportSays() throws Exception {
    List<Reading> readings = Recorded.office(40);
    readings.set(20, Drive.blind(readings.get(20)));
    ListAppender<ILoggingEvent> lines = MetricsEndpointTest.linesOf(StatusServer.class);
    ListAppender<ILoggingEvent> refusals =
        MetricsEndpointTest.linesOf(Class.forName("org.cartostream.topology.publish.RunPublisher"));
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      ServiceSettings settings =
          MetricsEndpointTest.settings(broker.uri(), "metricsHost", "127.0.0.1");
      try (LocalService service = LocalService.start(settings)) {
        try (Robot earlier = new Robot("r1", settings.broker())) {
          earlier.drive(readings.subList(0, 5)); // Nothing of it is left in the figures.
        }
        Robot robot = new Robot("r1", settings.broker());
        robot.drive(readings);
        String page = MetricsEndpointTest.scrape(MetricsEndpointTest.addressIn(lines));

        Map<String, Double> samples = samples(page);
        FinishedMessage report = robot.answers().report();
        assertThat(report.refused()).isEqualTo(1);
        assertReadings(samples, robot.answers());
        assertThat(samples)
            .containsEntry(
                "cartostream_resamplings_total{robot=\"r1\"}", (double) report.resamplings())
            .containsEntry(
                "cartostream_moved_bytes_total{robot=\"r1\"}", (double) report.bytesMoved())
            .containsEntry("cartostream_corrections_total{robot=\"r1\"}", 0.0)
            .containsEntry("cartostream_restores_total{robot=\"r1\"}", 0.0)
            // Nothing is stored: all is kept until the run is forgotten.
            .containsEntry("cartostream_unacknowledged_messages", readings.size() + 1.0)
            .doesNotContainKey("cartostream_checkpoint_age_seconds{robot=\"r1\"}")
            .containsKey("cartostream_queue_tuples{component=\"Dispatcher\",task=\"1\"}");
        assertThat(samples.get("cartostream_particles{robot=\"r1\",task=\"0\"}"))
            .isEqualTo(10 - samples.get("cartostream_particles{robot=\"r1\",task=\"1\"}"));
        String last = robot.answers().outcome(readings.size());
        assertThat(last).contains("SampleSize=" + samples.get("cartostream_neff{robot=\"r1\"}"));
        assertThat(samples)
            .containsEntry("cartostream_ready{part=\"tasks\"}", 1.0)
            .containsEntry("cartostream_ready{part=\"service_broker\"}", 1.0);
        assertThat(refusals.list)
            .singleElement()
            .extracting(ILoggingEvent::getFormattedMessage, as(STRING))
            .matches("robot r1, run [0-9a-f]+: reading 21 is refused \\(1 so far\\): .*");
        assertThat(namesInTheDashboard()).isNotEmpty().isSubsetOf(namesOf(samples.keySet()));
        robot.close();
      }
    }
  }

  private static void assertReadings(Map<String, Double> samples, Answers robot) {
    String readings = "cartostream_readings_total{outcome=\"%s\",reason=\"%s\",robot=\"r1\"}";
    double processed = robot.report().processed();
    assertThat(samples)
        .containsEntry(readings.formatted("processed", ""), processed)
        .containsEntry(readings.formatted("refused", "ALL_BEAMS_INVALID"), 1.0)
        .containsEntry("cartostream_reading_service_seconds_count{robot=\"r1\"}", processed)
        .containsEntry(
            "cartostream_reading_service_seconds_bucket{robot=\"r1\",le=\"+Inf\"}", processed);
    assertThat(samples.get("cartostream_reading_service_seconds_sum{robot=\"r1\"}"))
        .isCloseTo(serviceSeconds(robot), Offset.offset(1e-6));
  }

  /** In sum, as the robot was told. */
  private static double serviceSeconds(Answers robot) {
    return robot.all().stream()
        .map(Envelope::body)
        .filter(OutcomeMessage.class::isInstance)
        .map(body -> ((OutcomeMessage) body).outcome())
        .filter(Outcome.Processed.class::isInstance)
        .mapToDouble(outcome -> ((Outcome.Processed) outcome).serviceNanos() / 1e9)
        .sum();
  }

  private static Map<String, Double> samples(String page) {
    Map<String, Double> samples = new TreeMap<>();
    Matcher lines = SAMPLE.matcher(page);
    while (lines.find()) {
      samples.put(lines.group(1), Double.parseDouble(lines.group(2)));
    }
    return samples;
  }

  private static Set<String> namesOf(Set<String> samples) {
    Set<String> names = new HashSet<>();
    samples.forEach(sample -> names.add(sample.replaceAll("\\{.*", "")));
    return names;
  }

  /** In the queries of {@code docs/grafana-cartostream.json}. */
  private static Set<String> namesInTheDashboard() throws IOException {
    Path file = Path.of(System.getProperty("cartostream.root"), "docs/grafana-cartostream.json");
    Set<String> names = new HashSet<>();
    for (JsonNode query : new ObjectMapper().readTree(file.toFile()).findValues("expr")) {
      Matcher found = NAME.matcher(query.asText());
      assertThat(found.find()).as(query.asText()).isTrue();
      found.reset().results().forEach(name -> names.add(name.group()));
    }
    return names;
  }
}
