package org.cartostream.ros.rosbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.core.ConditionFactory;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Against a server that shakes hands and then closes every connection, as a proxy may, or stays.
 */
@Quick
class RosbridgeConnectionTest {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int PAUSES = 9;
  private static final byte[] CLOSE = {(byte) 0x88, 0};

  /** One character, masked, with its header. */
  private static final int WORD_BYTES = 7;

  private final AtomicInteger connections = new AtomicInteger();
  private final List<Long> pauses = new CopyOnWriteArrayList<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger heardBytes = new AtomicInteger();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final List<String> introduction = new CopyOnWriteArrayList<>(List.of("{}"));
  private Runnable whileIntroduced = () -> {};
  private ServerSocket server;
  private int lasting;

  /** Then the server closes nothing, and says nothing either. */
  private volatile boolean stays;

  private long introductionTakesNanos;

  @BeforeEach
  void serve() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::closeEach, "server that closes");
    thread.setDaemon(true);
    thread.start();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static ConditionFactory soon() {
    return await().atMost(SOON).pollInterval(Duration.ofMillis(10));
  }

  private void closeEach() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        shakeHands(socket);
        connections.incrementAndGet();
        if (stays) {
          hear(new DataInputStream(socket.getInputStream()));
        }
        socket.getOutputStream().write(CLOSE);
      } catch (IOException e) {
        // The test is over, or the link did not wait for the end of the handshake.
      }
    }
  }

  /** Short frames of a client, RFC 6455, section 5.2, until there are no more. */
  private void hear(DataInputStream in) throws IOException {
    while (in.read() >= 0) {
      byte[] mask = new byte[4];
      byte[] payload = new byte[in.readByte() & 0x7f];
      in.readFully(mask);
      in.readFully(payload);
      for (int i = 0; i < payload.length; i++) {
        payload[i] ^= mask[i % mask.length];
      }
      heardBytes.addAndGet(2 + mask.length + payload.length);
      heard.add(new String(payload, StandardCharsets.UTF_8));
    }
  }

  /** RFC 6455, section 4.2.2. */
  private static void shakeHands(Socket socket) throws IOException {
    BufferedReader request =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    String key = "";
    for (String line = request.readLine();
        line != null && !line.isEmpty();
        line = request.readLine()) {
      String[] field = line.split(": ", 2);
      key = field[0].equalsIgnoreCase("Sec-WebSocket-Key") ? field[1] : key;
    }
    String answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: "
            + accept(key)
            + "\r\n\r\n";
    socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
  }

  private static String accept(String key) {
    try {
      byte[] text =
          (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Time stands still, but for the link that is to last; in the last pause the link is closed. */
  private final class Counted implements RosbridgeConnection.Timing {

    @Override
    public long nanos() {
      return nanos.get();
    }

    @Override
    public Duration connecting() {
      return SOON;
    }

    @Override
    public void pause(long millis) throws InterruptedException {
      pauses.add(millis);
      if (pauses.size() == PAUSES) {
        throw new InterruptedException("closed");
      }
    }
  }

  private final class Asking implements RosbridgeConnection.Handler {

    @Override
    public List<String> handshakeMessages() {
      nanos.addAndGet(introductionTakesNanos);
      whileIntroduced.run();
      return List.copyOf(introduction);
    }

    @Override
    public void onConnected() {}

    @Override
    public void onDisconnected(String why) {
      complaints.add(why);
      if (complaints.size() == lasting) {
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
      }
    }

    @Override
    public void onDropped(String why) {}

    @Override
    public void onMessage(String word) {}

    @Override
    public void onBinaryMessage(byte[] word) {}
  }

  private void untilTheLastPause() {
    URI uri = URI.create("ws://127.0.0.1:" + server.getLocalPort());
    try (RosbridgeConnection link = new RosbridgeConnection(uri, new Asking(), new Counted())) {
      link.start();
      soon().until(() -> pauses.size() == PAUSES || connections.get() > 3 * PAUSES);
    }
  }

  @Test
  void asksAServerThatClosesAtOnceLessAndLessOften() {
    untilTheLastPause();
    assertThat(connections).hasValue(PAUSES);
    assertThat(pauses).containsExactly(200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L, 5000L, 5000L);
    assertThat(complaints).hasSize(PAUSES).allMatch(each -> each.contains("is gone"));
  }

  @Test
  void beginsWithAShortPauseAfterALinkThatLasted() {
    lasting = 4;
    untilTheLastPause();
    assertThat(pauses).containsExactly(200L, 400L, 800L, 200L, 400L, 800L, 1600L, 3200L, 5000L);
  }

  private RosbridgeConnection toAServerThatStays() {
    stays = true;
    URI uri = URI.create("ws://127.0.0.1:" + server.getLocalPort());
    return new RosbridgeConnection(uri, new Asking(), new Counted());
  }

  /** As a large map does on a slow link: nobody has been asked meanwhile whether he is there. */
  @Test
  void takesNoServerForSilentThatWasNotAsked() {
    introductionTakesNanos = TimeUnit.MINUTES.toNanos(1);
    try (RosbridgeConnection link = toAServerThatStays()) {
      link.start();
      soon()
          .until(
              () -> {
                link.send("x");
                return heardBytes.get() > 5 * WORD_BYTES || !complaints.isEmpty();
              });
      assertThat(complaints).isEmpty();
    }
  }

  @Test
  void takesAServerForGoneThatAnswersNoPing() {
    try (RosbridgeConnection link = toAServerThatStays()) {
      link.start();
      soon()
          .until(
              () -> {
                nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
                return !complaints.isEmpty();
              });
      assertThat(complaints.get(0)).endsWith("it has been silent for 10 s");
    }
  }

  /** A server that refuses a subscription twice was taken to refuse the next compression, too. */
  @Test
  void sendsOnceWhatIsAddedWhileItIntroducesItself() throws Exception {
    try (RosbridgeConnection link = toAServerThatStays()) {
      Thread other =
          new Thread(() -> link.sendWith(() -> introduction.add("added"), "added"), "other");
      whileIntroduced =
          () -> {
            other.start();
            soon()
                .until(
                    () ->
                        other.getState() == Thread.State.BLOCKED
                            || other.getState() == Thread.State.TERMINATED);
          };
      link.start();
      soon().until(() -> heard.contains("added"));
      other.join();
      link.send("last");
      soon().until(() -> heard.contains("last"));
      assertThat(heard).containsOnlyOnce("added");
    }
  }
}
