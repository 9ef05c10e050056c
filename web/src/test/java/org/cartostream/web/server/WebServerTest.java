package org.cartostream.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.ZipInputStream;
import org.cartostream.broker.message.WorkerMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.testing.Quick;
import org.cartostream.web.state.ObservedRun;
import org.cartostream.web.supervision.Supervision;
import org.cartostream.web.viewer.ShownRuns;
import org.cartostream.web.viewer.Viewers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class WebServerTest {

  private static final String PROTOCOL = "cartostream.v1";

  @TempDir private Path folder;

  private final ObservedRun run = new ObservedRun();
  private final HttpClient client = HttpClient.newHttpClient();
  private final CompletableFuture<String> pressed = new CompletableFuture<>();
  private WebServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        WebServer.start(
            new WebAddress("127.0.0.1", 0),
            run,
            Map.of("finish", () -> pressed.complete("finish")));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private URI uri(String path) {
    return URI.create(server.url()).resolve(path);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(uri(path)));
  }

  /** A viewer that notes what it is sent, and answers if it is told to. */
  private final class TestViewer implements WebSocket.Listener {

    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final List<Integer> binaries = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();
    private final boolean answers;
    private int bytes;

    TestViewer(boolean answers) {
      this.answers = answers;
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        texts.add(text.toString());
        text.setLength(0);
        if (answers) {
          socket.sendText("next", true);
        }
      }
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer part, boolean last) {
      bytes += part.remaining();
      if (last) {
        binaries.add(bytes);
        bytes = 0;
      }
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
      closed.complete(status);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      closed.complete(-1);
    }

    WebSocket connect() {
      return connect(PROTOCOL, null);
    }

    WebSocket connect(String protocol, String origin) {
      WebSocket.Builder builder = client.newWebSocketBuilder().subprotocols(protocol);
      if (origin != null) {
        builder.header("Origin", origin);
      }
      URI ws = URI.create(uri("/ws").toString().replace("http:", "ws:"));
      return builder.buildAsync(ws, this).join();
    }

    void connectWithToken() {
      String printed = server.url();
      client
          .newWebSocketBuilder()
          .subprotocols(PROTOCOL)
          .header("Authorization", "Bearer " + printed.substring(printed.indexOf('=') + 1))
          .buildAsync(URI.create("ws://127.0.0.1:" + URI.create(printed).getPort() + "/ws"), this)
          .join();
    }
  }

  private static OccupancyGrid map(int side) {
    return new OccupancyGrid(side, side, 0.05, 0, 0, new byte[side * side]);
  }

  @Test
  void servesThePageAndWhatMachinesAskFor() throws Exception {
    run.begin("r1", 7);
    assertThat(get("/").body()).contains("<canvas id=\"map\"");
    assertThat(get("/main.js").headers().firstValue("Content-Type"))
        .hasValue("text/javascript; charset=utf-8");
    assertThat(get("/uplot.js").body()).contains("uPlot");
    assertThat(get("/api/run").body()).contains("\"robot\":\"r1\"");
    assertThat(get("/api/tasks").body()).as("it is no service's page").isEqualTo("null");
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    assertThat(get("/health/ready").statusCode()).isEqualTo(200);
    run.link("the broker is away");
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    assertThat(get("/metrics").body()).contains("cartostream_web_viewers 0");
    assertThat(get("/../etc/passwd").statusCode()).isIn(400, 404);
    assertThat(get("/api/finish").statusCode()).as("a button is no link").isEqualTo(404);
  }

  @Test
  void theTasksOfAServiceAreJson() throws Exception {
    Supervision supervision = new Supervision();
    WorkerMessage.Task task =
        new WorkerMessage.Task(
            "Matchers", 3, 0, List.of(new WorkerMessage.HeldRun("tb3", 1, 1)), 0);
    supervision.heard(new WorkerMessage("service", "here", 41, 1, List.of(task)));
    server.close();
    server = WebServer.start(new WebAddress("127.0.0.1", 0), new ShownRuns(), supervision);
    assertThat(get("/api/tasks").body())
        .startsWith(
            "{\"trouble\":\"\",\"services\":[{\"name\":\"service\",\"hosts\":[{\"name\":\"here\",")
        .contains("\"process\":41,\"sign\":\"HERE\",\"silentSeconds\":0.")
        .contains("\"component\":\"Matchers\",\"number\":3,\"sign\":\"HERE\"")
        .contains("\"robots\":[\"tb3\"],\"moreRobots\":0")
        .contains("\"kind\":\"STARTED\",\"service\":\"service\"");
  }

  @Test
  void theNewestMapIsSavedAsTheRunsFilesAre() throws Exception {
    assertThat(get("/api/map.zip").body()).isEqualTo("there is no map yet\n");
    OccupancyGrid map = new OccupancyGrid(3, 2, 0.05, -1, 2, new byte[] {-1, 0, 100, 0, 0, 100});
    run.map(map, 0, 0);
    MapFiles.write(map, folder);
    HttpResponse<InputStream> answer =
        client.send(
            HttpRequest.newBuilder(uri("/api/map.zip")).build(),
            HttpResponse.BodyHandlers.ofInputStream());
    try (ZipInputStream zip = new ZipInputStream(answer.body())) {
      for (String name : List.of(MapFiles.PICTURE, MapFiles.DESCRIPTION)) {
        assertThat(zip.getNextEntry().getName()).isEqualTo(name);
        assertThat(zip.readAllBytes()).isEqualTo(Files.readAllBytes(folder.resolve(name)));
      }
    }
  }

  @Test
  void aButtonIsPressedByPostFromThisPageAlone() throws Exception {
    HttpRequest.Builder post =
        HttpRequest.newBuilder(uri("/api/finish")).POST(HttpRequest.BodyPublishers.noBody());
    assertThat(send(post.copy().header("Origin", "http://evil.example")).statusCode())
        .isEqualTo(403);
    assertThat(pressed).isNotDone();
    assertThat(send(post).statusCode()).isEqualTo(202);
    assertThat(pressed).isCompletedWithValue("finish");
  }

  @Test
  void aViewerIsSentTheMapAndThenOnlyWhatChanges() {
    run.map(map(64), 0, 0);
    TestViewer viewer = new TestViewer(true);
    viewer.connect();
    await().until(() -> viewer.texts.size() == 1 && viewer.binaries.size() == 1);
    run.link("the broker is away");
    await().until(() -> viewer.texts.size() == 2);
    assertThat(viewer.texts.get(1)).contains("the broker is away");
    assertThat(viewer.binaries).hasSize(1);
  }

  @Test
  void aSlowViewerGetsTheNewestStateRatherThanAQueue() {
    TestViewer slow = new TestViewer(false);
    WebSocket socket = slow.connect();
    TestViewer quick = new TestViewer(true);
    quick.connect();
    await().until(() -> slow.texts.size() == 1);
    for (int i = 0; i < 2; i++) {
      String trouble = "trouble " + i;
      run.link(trouble);
      await().until(() -> quick.texts.get(quick.texts.size() - 1).contains(trouble));
    }
    assertThat(slow.texts).hasSize(1);
    socket.sendText("next", true);
    await().until(() -> slow.texts.size() == 2);
    assertThat(slow.texts.get(1)).contains("trouble 1");
  }

  @Test
  void whoeverSaysAnythingElseIsCutOff() {
    TestViewer talks = new TestViewer(false);
    talks.connect().sendText("hello", true);
    assertThat(talks.closed.join()).isEqualTo(1008);
    TestViewer binary = new TestViewer(false);
    binary.connect().sendBinary(ByteBuffer.wrap(new byte[8]), true);
    assertThat(binary.closed.join()).isEqualTo(1003);
    TestViewer large = new TestViewer(false);
    large.connect().sendText("x".repeat(1 << 20), true);
    assertThat(large.closed.join()).isIn(1009, -1);
    assertThat(run.phase()).isEqualTo(ObservedRun.Phase.WAITING);
  }

  @Test
  void garbageInPlaceOfARequestIsAnsweredByAnError() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", uri("/").getPort())) {
      socket.getOutputStream().write(new byte[] {0x16, 3, 1, 2, 0, 1, (byte) 0xfc, '\n', '\n'});
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 400");
    }
  }

  @Test
  void thereIsRoomForSoManyViewers() {
    List<TestViewer> viewers = new ArrayList<>();
    for (int i = 0; i < Viewers.MAX; i++) {
      TestViewer viewer = new TestViewer(true);
      viewer.connect();
      viewers.add(viewer);
    }
    await().until(() -> viewers.stream().allMatch(each -> each.texts.size() == 1));
    TestViewer tooMany = new TestViewer(true);
    tooMany.connect();
    assertThat(tooMany.closed.join()).isEqualTo(1013);
    assertThat(viewers).noneMatch(each -> each.closed.isDone());
  }

  /** They send the beginnings of requests, and go on with a byte for each map. */
  @Test
  void slowStrangersKeepNobodyWithATokenFromAnyMap() throws Exception {
    server.close();
    server = WebServer.start(new WebAddress("0.0.0.0", 0), run, Map.of());
    List<Socket> strangers = new ArrayList<>();
    List<TestViewer> viewers = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        strangers.add(slowStranger());
      }
      for (int i = 0; i < Viewers.MAX; i++) {
        TestViewer viewer = new TestViewer(true);
        viewer.connectWithToken();
        viewers.add(viewer);
      }
      for (int shown = 1; shown <= 5; shown++) {
        int maps = shown;
        run.map(map(64 * shown), 0, 0);
        await().until(() -> viewers.stream().allMatch(each -> each.binaries.size() == maps));
        for (int i = 0; i < strangers.size(); i++) {
          try {
            strangers.get(i).getOutputStream().write('x');
          } catch (SocketException closed) {
            strangers.get(i).close();
            strangers.set(i, slowStranger());
          }
        }
      }
      assertThat(viewers).noneMatch(each -> each.closed.isDone());
      assertThat(metric("cartostream_web_strangers_closed_total")).isGreaterThanOrEqualTo(168);
    } finally {
      for (Socket each : strangers) {
        each.close();
      }
    }
  }

  @Test
  void manyConnectionsOfFourAddressesCloseNoneOfAnother() throws Exception {
    server.close();
    server = WebServer.start(new WebAddress("0.0.0.0", 0), run, Map.of());
    List<Socket> strangers = new ArrayList<>();
    try (Socket slowViewer = slowStranger("127.0.0.9")) {
      int each = GuardedConnector.MAX_STRANGERS / 4;
      for (int i = 0; i < 4 * (each + 5); i++) {
        strangers.add(slowStranger("127.0.0." + (2 + i % 4)));
      }
      await().until(() -> metric("cartostream_web_strangers_closed_total") > 4 * 5);
      slowViewer.getOutputStream().write("y\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(slowViewer.getInputStream().readNBytes(8), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1");
    } finally {
      for (Socket each : strangers) {
        each.close();
      }
    }
  }

  @Test
  void whoHasANetworkOfIpv6IsOneStranger() throws Exception {
    assertThat(address("2001:db8:1:2::3")).isEqualTo(address("2001:db8:1:2:ffff::4"));
    assertThat(address("2001:db8:1:2::3")).isNotEqualTo(address("2001:db8:1:3::3"));
    assertThat(address("192.0.2.1")).isNotEqualTo(address("192.0.2.2"));
  }

  private static ByteBuffer address(String address) throws IOException {
    return GuardedConnector.address(InetAddress.getByName(address));
  }

  private Socket slowStranger() throws IOException {
    return slowStranger("127.0.0.1");
  }

  private Socket slowStranger(String from) throws IOException {
    int port = URI.create(server.url()).getPort();
    Socket socket = new Socket("127.0.0.1", port, InetAddress.getByName(from), 0);
    socket.getOutputStream().write("GET / HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private long metric(String name) throws Exception {
    String printed = server.url();
    URI here = URI.create("http://127.0.0.1:" + URI.create(printed).getPort() + "/metrics");
    String token = printed.substring(printed.indexOf('=') + 1);
    String all =
        send(HttpRequest.newBuilder(here).header("Authorization", "Bearer " + token)).body();
    return all.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aPageWithoutATokenSetsNoCookie() throws Exception {
    HttpResponse<String> answer = get("/?token=of%0d%0aanother");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
  }

  @Test
  void pagesOfOtherSitesAndOtherProtocolsAreRefused() {
    assertThatThrownBy(() -> new TestViewer(true).connect(PROTOCOL, "http://evil.example"))
        .isInstanceOf(CompletionException.class);
    assertThatThrownBy(() -> new TestViewer(true).connect("chat", null))
        .isInstanceOf(CompletionException.class);
  }

  @Test
  void allHaveTheLastStateWhenItEnds() {
    TestViewer viewer = new TestViewer(true);
    viewer.connect();
    await().until(() -> viewer.texts.size() == 1);
    run.end("the disk is full");
    server.close();
    assertThat(viewer.closed.join()).isEqualTo(1001);
    assertThat(viewer.texts.get(viewer.texts.size() - 1)).contains("the disk is full");
  }

  @Test
  void aPortThatIsTakenIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0)) {
      WebAddress address = new WebAddress("127.0.0.1", taken.getLocalPort());
      assertThatThrownBy(() -> WebServer.start(address, run, Map.of()))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "port %d of 127.0.0.1 cannot be had (Address already in use); another is named by --web=127.0.0.1:PORT, and 0 takes any that is free"
                  .formatted(taken.getLocalPort()));
    }
  }

  @Test
  void whereOthersCanReachItTheTokenOpensIt() throws Exception {
    server.close();
    server = WebServer.start(new WebAddress("0.0.0.0", 0), run, Map.of());
    URI printed = URI.create(server.url());
    URI here = URI.create("http://127.0.0.1:" + printed.getPort() + "/");
    assertThat(send(HttpRequest.newBuilder(here)).statusCode()).isEqualTo(401);
    assertThat(send(HttpRequest.newBuilder(here.resolve("/health/live"))).statusCode())
        .isEqualTo(200);
    HttpResponse<String> opened =
        send(HttpRequest.newBuilder(here.resolve("/?" + printed.getQuery())));
    assertThat(opened.statusCode()).isEqualTo(303);
    String cookie = opened.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie).contains("HttpOnly", "SameSite=Strict").doesNotContain("Secure");
    assertThat(
            send(HttpRequest.newBuilder(here).header("Cookie", cookie.split(";")[0])).statusCode())
        .isEqualTo(200);
    String token = printed.getQuery().substring("token=".length());
    assertThat(
            send(HttpRequest.newBuilder(here.resolve("/api/run"))
                    .header("Authorization", "Bearer " + token))
                .statusCode())
        .isEqualTo(200);
  }
}
