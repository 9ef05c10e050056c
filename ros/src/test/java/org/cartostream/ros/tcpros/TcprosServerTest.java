package org.cartostream.ros.tcpros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.ros.message.Float64;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Subscribers that come and go, as {@code rostopic} does. */
@Quick
class TcprosServerTest {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int ROOM = 8;

  private final RecordingListener recordingListener = new RecordingListener();
  private final Publication<Float64> topic =
      new Publication<>("/teller", "/topic", Float64.TYPE, false);
  private final List<Socket> sockets = new ArrayList<>();
  private TcprosServer tcprosServer;

  @BeforeEach
  void open() throws Exception {
    tcprosServer =
        TcprosServer.open("/teller", InetAddress.getLoopbackAddress(), ROOM, recordingListener);
    tcprosServer.topics().put("/topic", topic);
  }

  @AfterEach
  void close() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    tcprosServer.close();
  }

  private Socket connection() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), tcprosServer.port());
    sockets.add(socket);
    return socket;
  }

  private Socket subscriber() throws IOException {
    Socket socket = connection();
    socket
        .getOutputStream()
        .write(
            ConnectionHeader.of(
                    "callerid",
                    "/hearer",
                    "topic",
                    "/topic",
                    "type",
                    Float64.TYPE.name(),
                    "md5sum",
                    Float64.TYPE.md5())
                .bytes());
    return socket;
  }

  @Test
  void noticesThatASubscriberHasLeftThoughNothingIsPublished() throws Exception {
    Socket leaves = subscriber();
    Socket stays = subscriber();
    await().atMost(SOON).until(() -> topic.subscribers() == 2);
    leaves.close();
    await().atMost(SOON).until(() -> topic.subscribers() == 1);
    topic.send(new Float64(0.25));
    DataInputStream in = new DataInputStream(stays.getInputStream());
    ConnectionHeader.read(in);
    assertThat(Float64.TYPE.decode(TcprosFraming.read(in, TcprosFraming.MAX_BYTES)))
        .isEqualTo(new Float64(0.25));
  }

  @Test
  void saysThatItIsFull() throws Exception {
    for (int i = 0; i < ROOM; i++) {
      subscriber();
    }
    assertThat(connection().getInputStream().read()).as("turned away").isNegative();
    assertThat(recordingListener.trouble)
        .singleElement()
        .asString()
        .startsWith("/teller: 8 subscribers and callers are connected");
  }
}
