package org.cartostream.broker.connection;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.cartostream.broker.BrokerException;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** What is said when there is no broker at the address. */
@Quick
class NoBrokerTest {

  private static void openAt(String uri) {
    openAt(uri, Map.of());
  }

  private static void openAt(String uri, Map<String, String> changes) {
    BrokerSettings settings = Settings.with(BrokerSettings.defaults().withUri(uri), changes);
    BrokerConnection.open(settings, "gateway", BrokerListener.NONE).close();
  }

  @Test
  void namesTheAddressWhereNobodyListens() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    assertThatThrownBy(() -> openAt("amqp://ann:secret@127.0.0.1:" + port))
        .isInstanceOf(BrokerException.class)
        .hasMessageStartingWith("no broker answers at 127.0.0.1:" + port)
        .hasMessageNotContaining("secret");
  }

  @Test
  void namesTheHostThatIsNotKnown() {
    assertThatThrownBy(() -> openAt("amqp://broker.invalid"))
        .isInstanceOf(BrokerException.class)
        .hasMessage("the broker's host 'broker.invalid' is not known");
  }

  @Test
  void saysThatAListenerSpeaksSomethingElse() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread server = new Thread(() -> answerAsHttp(socket), "no broker");
      server.start();
      assertThatThrownBy(() -> openAt("amqp://127.0.0.1:" + socket.getLocalPort()))
          .isInstanceOf(BrokerException.class)
          .hasMessage(
              "what answers at 127.0.0.1:" + socket.getLocalPort() + " does not speak AMQP 0-9-1");
      server.join();
    }
  }

  private static void answerAsHttp(ServerSocket socket) {
    try (Socket client = socket.accept()) {
      client
          .getOutputStream()
          .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      client.getOutputStream().flush();
      client.getInputStream().readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void saysThatAListenerIsSilent() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Map<String, String> hasty = Map.of("connectTimeoutSeconds", "1");
      assertThatThrownBy(() -> openAt("amqp://127.0.0.1:" + socket.getLocalPort(), hasty))
          .isInstanceOf(BrokerException.class)
          .hasMessageContaining("127.0.0.1:" + socket.getLocalPort());
    }
  }
}
