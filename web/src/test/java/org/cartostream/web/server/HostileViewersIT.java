package org.cartostream.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.cartostream.testing.Nightly;
import org.cartostream.web.state.ObservedRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that mean harm, byte by byte. The run and its other viewers notice nothing. */
@Nightly
class HostileViewersIT {

  private static final long LARGE = 100 << 20;

  /** What sockets hold on the way, on either side, and some more. */
  private static final long ON_THE_WAY = 16 << 20;

  private final ObservedRun run = new ObservedRun();
  private WebServer server;
  private URI url;

  @BeforeEach
  void start() throws IOException {
    server = WebServer.start(new WebAddress("127.0.0.1", 0), run, Map.of());
    url = URI.create(server.url());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket("127.0.0.1", url.getPort());
    socket.setSoTimeout(20_000); // A server that says nothing would hold the test for ever.
    return socket;
  }

  private Socket webSocket(String protocol) throws IOException {
    Socket socket = connect();
    String request =
        """
        GET /ws HTTP/1.1
        Host: 127.0.0.1:%d
        Upgrade: websocket
        Connection: Upgrade
        Sec-WebSocket-Version: 13
        Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==
        Sec-WebSocket-Protocol: %s

        """
            .formatted(url.getPort(), protocol)
            .replace("\n", "\r\n");
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
        .isEqualTo("HTTP/1.1 101");
    return socket;
  }

  /** Sends zeros until the other end takes no more; returns how many it took. */
  private static long pour(Socket socket, long bytes) throws IOException {
    byte[] zeros = new byte[1 << 16];
    OutputStream out = socket.getOutputStream();
    long sent = 0;
    try {
      for (; sent < bytes; sent += zeros.length) {
        out.write(zeros);
      }
    } catch (SocketException closed) {
      return sent;
    }
    return sent;
  }

  private void assertServes() throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(url.resolve("/api/run")).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cartostream.v1", "foxglove.sdk.v1", "foxglove.websocket.v1"})
  void aMessageOfAHundredMegabytesIsNotTaken(String protocol) throws Exception {
    try (Socket socket = webSocket(protocol)) {
      // A text in one frame, masked by zeros.
      ByteBuffer head = ByteBuffer.allocate(14).put((byte) 0x81).put((byte) 0xff).putLong(LARGE);
      socket.getOutputStream().write(head.array());
      assertThat(pour(socket, LARGE)).isLessThan(ON_THE_WAY);
    }
    assertServes();
  }

  /** In pieces that are each small enough. */
  @ParameterizedTest
  @ValueSource(strings = {"cartostream.v1", "foxglove.sdk.v1"})
  void neitherIsOneInManyFrames(String protocol) throws Exception {
    byte[] frame = new byte[6 + 50];
    frame[1] = (byte) (0x80 | 50); // It goes on: no first bit, and 50 bytes masked by zeros.
    long sent = 0;
    try (Socket socket = webSocket(protocol)) {
      OutputStream out = socket.getOutputStream();
      frame[0] = 1;
      out.write(frame);
      frame[0] = 0;
      byte[] many = new byte[1000 * frame.length];
      for (int i = 0; i < 1000; i++) {
        System.arraycopy(frame, 0, many, i * frame.length, frame.length);
      }
      for (; sent < LARGE; sent += many.length) {
        out.write(many);
      }
    } catch (SocketException closed) {
      // As it should be.
    }
    assertThat(sent).isLessThan(ON_THE_WAY);
    assertServes();
  }

  @Test
  void aRequestOfAHundredMegabytesIsNotTaken() throws Exception {
    String host = "Host: 127.0.0.1:%d\r\n".formatted(url.getPort());
    for (String request :
        List.of(
            "POST /api/finish HTTP/1.1\r\n" + host + "Content-Length: " + LARGE + "\r\n\r\n",
            "GET /" + "x".repeat(1 << 16),
            "GET / HTTP/1.1\r\n" + host + "X: " + "x".repeat(1 << 16))) {
      try (Socket socket = connect()) {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        assertThat(pour(socket, LARGE)).as(request.substring(0, 12)).isLessThan(ON_THE_WAY);
      } catch (SocketException closed) {
        // Sooner than the request was whole.
      }
    }
    assertServes();
  }

  @Test
  void garbageFramesEndTheirConnectionAlone() throws Exception {
    long seed = 37;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      byte[] garbage = new byte[1 + random.nextInt(300)];
      random.nextBytes(garbage);
      try (Socket socket = webSocket(i % 2 == 0 ? "cartostream.v1" : "foxglove.sdk.v1")) {
        socket.getOutputStream().write(garbage);
      }
    }
    assertServes();
  }

  /** It goes on sending headers, so that it is never idle. */
  @Test
  void aSlowStrangerIsClosedInTime() throws Exception {
    try (Socket socket = connect()) {
      OutputStream out = socket.getOutputStream();
      out.write("GET / HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
      long connected = System.nanoTime();
      await()
          .atMost(GuardedConnector.PATIENCE.multipliedBy(3))
          .pollInterval(Duration.ofMillis(100))
          .until(
              () -> {
                try {
                  out.write('x');
                  return false;
                } catch (SocketException closed) {
                  return true;
                }
              });
      assertThat(Duration.ofNanos(System.nanoTime() - connected))
          .isGreaterThan(GuardedConnector.PATIENCE.minusSeconds(1));
    }
    assertServes();
  }

  /** Older ones of those that say nothing are closed; the viewer that was there goes on. */
  @Test
  void aThousandConnectionsHoldUpNobody() throws Exception {
    try (Socket viewer = webSocket("cartostream.v1")) {
      List<Socket> idle = new ArrayList<>();
      try {
        for (int i = 0; i < 1000; i++) {
          Socket socket = new Socket();
          idle.add(socket);
          try {
            socket.connect(new InetSocketAddress("127.0.0.1", url.getPort()), 20);
          } catch (IOException full) {
            // The system has no room for more that wait.
          }
        }
        run.link("the broker is away");
        StringBuilder said = new StringBuilder();
        byte[] bytes = new byte[1 << 12];
        while (!said.toString().contains("the broker is away")) {
          int got = viewer.getInputStream().read(bytes);
          assertThat(got).isPositive();
          said.append(new String(bytes, 0, got, StandardCharsets.ISO_8859_1));
          if (said.toString().contains("buttons")) { // An update is whole: ask for the next.
            viewer
                .getOutputStream()
                .write(new byte[] {(byte) 0x81, (byte) 0x84, 0, 0, 0, 0, 'n', 'e', 'x', 't'});
          }
        }
      } finally {
        for (Socket each : idle) {
          each.close();
        }
      }
    }
    assertServes();
  }
}
