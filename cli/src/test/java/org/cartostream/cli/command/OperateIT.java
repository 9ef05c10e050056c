package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.cartostream.testing.Default;
import org.cartostream.testing.Promtool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a service and a gateway show to who watches over them: metrics, health, log, their end. */
@Default
@Timeout(240)
class OperateIT {

  private static final Pattern ADDRESS = Pattern.compile("metrics: (http://\\S+?)/metrics");
  private static final Pattern NAME = Pattern.compile("\\bcartostream_[a-z_]+");
  private static final int TERMINATED = 128 + 15;

  @TempDir private Path folder;

  @Test
  void aServiceAndAGatewayAreWatchedAlike() throws Exception {
    Instant start = Instant.now();
    String[] json = {"--log-format", "json", "--set"};
    try (DrivingRobot robot = DrivingRobot.withServiceElsewhere(folder)) {
      Process service =
          robot.service("service", json[0], json[1], json[2], "topology.metricsHost=127.0.0.1");
      Process gateway =
          robot.gateway(
              "one",
              json[0],
              json[1],
              json[2],
              "gateway.metricsHost=127.0.0.1",
              "--web=127.0.0.1:0");
      robot.until(() -> !robot.lines("one", "metrics: ").isEmpty());
      String ofGateway = address(robot, "one");
      robot.drive(0);
      robot.untilSomewhere();
      String ofService = address(robot, "service");

      for (String address : List.of(ofService, ofGateway)) {
        assertThat(get(address + "/health/live").statusCode()).isEqualTo(200);
        HttpResponse<String> ready = get(address + "/health/ready");
        assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
        assertThat(get(address + "/metrics").body())
            .containsPattern("(?m)^cartostream_build_info\\{java=\"[^\"]+\",version=\"[^\"]+\"} 1");
      }
      String gatewaysPage = get(ofGateway + "/metrics").body();
      String both = get(ofService + "/metrics").body() + gatewaysPage;
      assertThat(gatewaysPage)
          .contains("cartostream_gateway_outages_total{robot=\"" + MappedOffice.ROBOT + "\"} 0")
          .containsPattern("cartostream_gateway_readings_total\\{outcome=\"processed\".*} [1-9]");
      Set<String> inRules = names(Files.readString(Promtool.ALERTS));
      inRules.remove("cartostream_localisation_state"); // Of a robot in a known map.
      assertThat(inRules).hasSizeGreaterThan(5).isSubsetOf(names(both));

      String page = robot.lines("one", "map and pose: ").get(0).replace("map and pose: ", "");
      String ofPage = get(page + "metrics").body();

      service.destroy(); // SIGTERM
      assertThat(service.waitFor()).isEqualTo(TERMINATED);
      robot.until(() -> get(ofGateway + "/health/live").statusCode() == 200);
      gateway.destroy();
      robot.until(() -> !robot.lines("one", "ending; a second").isEmpty());
      gateway.destroy(); // It gives up: nobody is there to end the run.
      assertThat(gateway.waitFor()).isEqualTo(TERMINATED);
      assertEvents(robot, start);
      Promtool.checkMetrics(gatewaysPage);
      Promtool.checkMetrics(ofPage);
      Promtool.checkMetrics(both.substring(0, both.length() - gatewaysPage.length()));
    }
  }

  private static void assertEvents(DrivingRobot robot, Instant start) throws Exception {
    JsonNode begins = event(robot, "service", " begins");
    assertThat(begins.path("mdc").path("robot").asText()).isEqualTo(MappedOffice.ROBOT);
    JsonNode joined = event(robot, "one", "has joined");
    assertThat(joined.path("mdc").path("robot").asText()).isEqualTo(MappedOffice.ROBOT);
    assertThat(joined.path("mdc").path("run").asText())
        .isEqualTo(begins.path("mdc").path("run").asText())
        .isNotEmpty();
    assertThat(Instant.ofEpochMilli(joined.path("timestamp").asLong()))
        .isBetween(start, Instant.now());
  }

  private static JsonNode event(DrivingRobot robot, String process, String part) throws Exception {
    List<String> lines = robot.lines(process, part);
    assertThat(lines).as(part).isNotEmpty();
    return new ObjectMapper().readTree(lines.get(0));
  }

  private static String address(DrivingRobot robot, String process) throws Exception {
    Matcher line =
        ADDRESS.matcher(event(robot, process, "metrics: ").path("formattedMessage").asText());
    assertThat(line.find()).isTrue();
    return line.group(1);
  }

  private static HttpResponse<String> get(String address) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(60)).build();
    try {
      return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    } catch (Exception e) {
      throw new AssertionError(address, e);
    }
  }

  private static Set<String> names(String text) {
    return NAME.matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
