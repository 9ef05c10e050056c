package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.ZipInputStream;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of observers at a real broker, while a robot's run goes through it. */
@Nightly
class WebCommandIT {

  private static final Duration SOON = Duration.ofMinutes(3);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir private Path folder;

  private final ShutdownRequest stop = new ShutdownRequest();

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Empty while nobody answers. */
  private static String get(String url) throws InterruptedException {
    try {
      return CLIENT
          .send(
              HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return "";
    }
  }

  private CompletableFuture<Cartostream> start(Object... command) {
    return CompletableFuture.supplyAsync(() -> Cartostream.run(stop, command));
  }

  @Test
  void aRobotThatGoesThroughTheBrokerIsOnThePagesOfItsObservers() throws Exception {
    List<String> pages = new ArrayList<>();
    List<CompletableFuture<Cartostream>> commands = new ArrayList<>();
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      for (String name : List.of("web", "service")) {
        int port = freePort();
        pages.add("http://127.0.0.1:" + port);
        commands.add(start(name, "--broker", broker.uri(), "--web=" + port));
      }
      for (String page : pages) {
        await().atMost(SOON).until(() -> get(page + "/api/robots").equals("[]"));
        // Not later: a local Storm that is closed, as the replay's is, ends all workers of this
        // JVM.
        await()
            .atMost(SOON)
            .untilAsserted(
                () ->
                    assertThat(tasks(page))
                        .contains("Dispatcher 0 HERE", "Matchers 1 HERE", "Publisher 0 HERE"));
      }
      Cartostream replay =
          Cartostream.run(
              new ShutdownRequest(),
              "replay",
              Logs.OFFICE,
              "--particles",
              5,
              "--robot",
              "tb3",
              "--broker",
              broker.uri(),
              "--out",
              folder.resolve("out"));
      assertThat(replay.exitCode()).as(replay.err()).isZero();
      for (String page : pages) {
        await()
            .atMost(SOON)
            .until(() -> get(page + "/api/run?robot=tb3").contains("\"phase\":\"finished\""));
        JsonNode state = new ObjectMapper().readTree(get(page + "/api/run?robot=tb3"));
        assertThat(state.at("/counts/processed").asInt()).isEqualTo(320);
        assertThat(state.at("/path/numbers")).as("the path with loops closed").hasSize(2 * 320);
        assertThat(get(page + "/api/robots")).isEqualTo("[\"tb3\"]");
      }
      showsTheKnownMap(broker, pages.get(0));
      stop.request(ShutdownRequest.BY_CTRL_C);
      for (CompletableFuture<Cartostream> each : commands) {
        assertThat(each.join().exitCode()).as(each.join().err()).isEqualTo(130);
      }
    }
  }

  /** Of a robot that is localised in the map of the run before. */
  private void showsTheKnownMap(EmbeddedBroker broker, String page) throws Exception {
    Cartostream localised =
        Cartostream.run(
            new ShutdownRequest(),
            "replay",
            Logs.OFFICE,
            "--localise",
            folder.resolve("out/map.yaml"),
            "--at",
            "0,0,0",
            "--robot",
            "tb4",
            "--broker",
            broker.uri(),
            "--out",
            folder.resolve("localised"));
    assertThat(localised.exitCode()).as(localised.err()).isZero();
    await().atMost(SOON).until(() -> get(page + "/api/run?robot=tb4").contains("\"finished\""));
    assertThat(get(page + "/api/robots")).isEqualTo("[\"tb3\",\"tb4\"]");
    HttpResponse<byte[]> saved =
        CLIENT.send(
            HttpRequest.newBuilder(URI.create(page + "/api/map.zip?robot=tb4")).build(),
            HttpResponse.BodyHandlers.ofByteArray());
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(saved.body()))) {
      assertThat(zip.getNextEntry().getName()).isEqualTo("map.pgm");
      assertThat(zip.readAllBytes()).isEqualTo(Files.readAllBytes(folder.resolve("out/map.pgm")));
    }
  }

  /** The tasks of the service, which is one process on one host. */
  private static List<String> tasks(String page) throws Exception {
    JsonNode tree = new ObjectMapper().readTree(get(page + "/api/tasks"));
    List<String> tasks = new ArrayList<>();
    tree.at("/services/0/hosts/0/workers/0/tasks")
        .forEach(
            each ->
                tasks.add(
                    "%s %d %s"
                        .formatted(
                            each.get("component").asText(),
                            each.get("number").asInt(),
                            each.get("sign").asText())));
    return tasks;
  }

  @Test
  void aBrokerThatIsNotThereIsSaid() throws IOException {
    Cartostream none = Cartostream.run("web", "--web=0");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.complaint()).contains("--broker amqp://observer.NAME@host");
    String nowhere = "amqp://a:b@127.0.0.1:" + freePort();
    Cartostream away = Cartostream.run("web", "--web=0", "--broker", nowhere);
    assertThat(away.exitCode()).isEqualTo(1);
    assertThat(away.complaint()).contains("no broker answers at 127.0.0.1");
  }
}
