package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code replay --web}, by the serial engine, and {@code view}. */
@Quick
class ReplayWebTest {

  private static final String COLUMNS = "cartostream.columns";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private Cartostream replay(ShutdownRequest shutdownRequest, String out, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("replay", Logs.OFFICE, "--engine", "serial"));
    all.addAll(List.of("--out", folder.resolve(out), "--particles", 5));
    all.addAll(List.of(arguments));
    return Cartostream.run(shutdownRequest, all.toArray());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String get(String url) {
    try {
      return CLIENT
          .send(
              HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** With it the run is over, and Ctrl-C does not end it early any more. */
  private void awaitReport(String out) {
    await().atMost(SOON).until(() -> Files.exists(folder.resolve(out).resolve("report.json")));
  }

  @Test
  void withoutATerminalItEndsWithTheRun() {
    Cartostream run = replay(new ShutdownRequest(), "out", "--limit", 10, "--web=0");
    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .contains("map and pose: http://127.0.0.1:")
        .doesNotContain("until Ctrl-C");
  }

  @Test
  void onATerminalThePageStaysAndHostileVisitorsChangeNoByteOfTheRun() throws Exception {
    int port = freePort();
    ShutdownRequest ctrlC = new ShutdownRequest();
    System.setProperty(COLUMNS, "80");
    List<Socket> hostile = new ArrayList<>();
    try {
      CompletableFuture<Cartostream> run =
          CompletableFuture.supplyAsync(
              () -> replay(ctrlC, "watched", "--limit", 80, "--web=" + port));
      String url = "http://127.0.0.1:" + port;
      await().atMost(SOON).until(() -> get(url + "/health/live").equals("live\n"));
      Random random = new Random(37);
      for (int i = 0; i < 400; i++) { // Most are never answered, for there is a limit.
        Socket socket = new Socket("127.0.0.1", port);
        hostile.add(socket);
        byte[] garbage = new byte[200];
        random.nextBytes(garbage);
        socket.getOutputStream().write(garbage);
      }
      for (Socket each : hostile) {
        each.close();
      }
      await().atMost(SOON).until(() -> get(url + "/api/run").contains("\"phase\":\"finished\""));
      awaitReport("watched");
      assertThat(run).as("the page stays").isNotDone();
      ctrlC.request(ShutdownRequest.BY_CTRL_C);
      assertThat(run.join().exitCode()).as("the run had ended before").isZero();
    } finally {
      System.clearProperty(COLUMNS);
      for (Socket each : hostile) {
        each.close();
      }
    }
    replay(new ShutdownRequest(), "alone", "--limit", 80);
    for (String file : List.of("map.pgm", "map.yaml", "map.png", "trajectory.tum", "live.tum")) {
      assertThat(folder.resolve("watched").resolve(file))
          .as(file)
          .hasSameBinaryContentAs(folder.resolve("alone").resolve(file));
    }
  }

  @Test
  void whatARunHasWrittenIsShownUntilCtrlC() throws Exception {
    replay(new ShutdownRequest(), "out", "--limit", 10);
    int port = freePort();
    ShutdownRequest ctrlC = new ShutdownRequest();
    CompletableFuture<Cartostream> view =
        CompletableFuture.supplyAsync(
            () -> Cartostream.run(ctrlC, "view", folder.resolve("out"), "--web=" + port));
    String state = "http://127.0.0.1:" + port + "/api/run";
    await().atMost(SOON).until(() -> get(state).contains("\"phase\":\"finished\""));
    // x and y of ten poses.
    assertThat(get(state).replaceAll(".*\"path\":\\{[^\\[]*\\[([^]]*)].*", "$1").split(","))
        .hasSize(20);
    ctrlC.request(ShutdownRequest.BY_CTRL_C);
    assertThat(view.join().exitCode()).isZero();
  }

  /** Its map is that in which it was found; the folder has none. */
  @Test
  void aLocalisedRunIsShownInItsMap() throws Exception {
    replay(new ShutdownRequest(), "out", "--limit", 30);
    Path map = folder.resolve("out");
    replay(new ShutdownRequest(), "found", "--localise", map, "--at", "0,0,0", "--limit", 10);
    assertThat(folder.resolve("found/map.yaml")).doesNotExist();
    int port = freePort();
    ShutdownRequest ctrlC = new ShutdownRequest();
    CompletableFuture<Cartostream> view =
        CompletableFuture.supplyAsync(
            () -> Cartostream.run(ctrlC, "view", folder.resolve("found"), "--web=" + port));
    String state = "http://127.0.0.1:" + port + "/api/run";
    await().atMost(SOON).until(() -> get(state).contains("\"phase\":\"finished\""));
    assertThat(get(state).replaceAll(".*\"path\":\\{[^\\[]*\\[([^]]*)].*", "$1").split(","))
        .hasSize(20);
    ctrlC.request(ShutdownRequest.BY_CTRL_C);
    assertThat(view.join().exitCode()).isZero();
  }

  @Test
  void aRecordingIsPlayedBackWithOtherPathsOverIt() throws Exception {
    replay(new ShutdownRequest(), "out", "--limit", 30);
    replay(new ShutdownRequest(), "other", "--limit", 20, "--no-record");
    int port = freePort();
    ShutdownRequest ctrlC = new ShutdownRequest();
    CompletableFuture<Cartostream> view =
        CompletableFuture.supplyAsync(
            () ->
                Cartostream.run(
                    ctrlC,
                    "view",
                    folder.resolve("out"),
                    "--overlay",
                    folder.resolve("other"),
                    "--reference",
                    folder.resolve("out/trajectory.tum"),
                    "--web=" + port));
    String url = "http://127.0.0.1:" + port + "/api/recording";
    await().atMost(SOON).until(() -> get(url).contains("\"name\":\"out\""));
    JsonNode run = new ObjectMapper().readTree(get(url));
    assertThat(run.at("/steps/seconds")).hasSize(30);
    assertThat(run.at("/others/0/poses/x")).isEqualTo(run.at("/path/x"));
    assertThat(run.at("/others/1/name").asText()).isEqualTo("other");
    assertThat(run.at("/others/1/poses/x")).hasSize(20);
    assertThat(get(url + "/map?shown=-1&wanted=9999")).startsWith("there is no map 9999");
    assertThat(get(url + "/scan?step=first")).contains("a whole number, not first");
    ctrlC.request(ShutdownRequest.BY_CTRL_C);
    assertThat(view.join().exitCode()).isZero();
  }

  @Test
  void whatCannotBeDrawnOverARunIsSaid() throws IOException {
    replay(new ShutdownRequest(), "out", "--limit", 5);
    Path far = Files.writeString(folder.resolve("far.tum"), "1 0 0 0 0 0 0 1\n2 0 0 0 0 0 0 1\n");
    Cartostream view =
        Cartostream.run("view", folder.resolve("out"), "--reference", far, "--web=0");
    assertThat(view.exitCode()).isEqualTo(1);
    assertThat(view.complaint()).contains("--reference " + far, "reference of another log?");
    Files.writeString(folder.resolve("out/run.mcap"), "no recording");
    Cartostream damaged = Cartostream.run("view", folder.resolve("out"), "--web=0");
    assertThat(damaged.exitCode()).isEqualTo(1);
    assertThat(damaged.complaint()).contains("run.mcap is no MCAP file");
  }

  @Test
  void aRobotThatIsLocalisedIsShownInTheKnownMap() throws Exception {
    replay(new ShutdownRequest(), "known", "--limit", 20);
    int port = freePort();
    System.setProperty(COLUMNS, "80");
    try {
      ShutdownRequest ctrlC = new ShutdownRequest();
      CompletableFuture<Cartostream> run =
          CompletableFuture.supplyAsync(
              () ->
                  Cartostream.run(
                      ctrlC,
                      "replay",
                      Logs.OFFICE,
                      "--limit",
                      20,
                      "--engine",
                      "serial",
                      "--localise",
                      folder.resolve("known/map.yaml"),
                      "--at",
                      "0,0,0",
                      "--out",
                      folder.resolve("out"),
                      "--web=" + port));
      String url = "http://127.0.0.1:" + port;
      await().atMost(SOON).until(() -> get(url + "/api/run").contains("\"phase\":\"finished\""));
      awaitReport("out");
      CompletableFuture<Integer> tiles = new CompletableFuture<>();
      CLIENT
          .newWebSocketBuilder()
          .subprotocols("cartostream.v1")
          .buildAsync(
              URI.create("ws://127.0.0.1:" + port + "/ws"),
              new WebSocket.Listener() {
                @Override
                public CompletionStage<?> onBinary(
                    WebSocket socket, ByteBuffer part, boolean last) {
                  tiles.complete(part.remaining());
                  return null;
                }
              })
          .join();
      assertThat(tiles.get(10, TimeUnit.SECONDS)).isPositive();
      ctrlC.request(ShutdownRequest.BY_CTRL_C);
      assertThat(run.join().exitCode()).isZero();
    } finally {
      System.clearProperty(COLUMNS);
    }
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    Cartostream view = Cartostream.run("view", folder.resolve("nowhere"));
    assertThat(view.exitCode()).isEqualTo(1);
    assertThat(view.complaint()).contains("there is no folder '" + folder.resolve("nowhere"));
  }

  @Test
  void aPortThatIsTakenIsASentence() throws IOException {
    try (ServerSocket taken = new ServerSocket(0)) {
      Cartostream run =
          replay(new ShutdownRequest(), "out", "--web=127.0.0.1:" + taken.getLocalPort());
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.complaint()).contains("port " + taken.getLocalPort() + " of 127.0.0.1 cannot");
    }
  }

  @Test
  void aLogBehindTheOptionIsNoAddress() {
    Cartostream run = Cartostream.run("replay", "--web", "killian", Logs.OFFICE);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.complaint()).contains("--web: 'killian' is no address");
  }
}
