package org.cartostream.ros.xmlrpc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Quick
@Timeout(60)
class SlaveApiTest {

  /** As many as there are threads. */
  private static final int STALLED = 4;

  private static final Duration TIMEOUT = Duration.ofMillis(500);

  /** One in twenty-five meets a request that has just begun. */
  private static final int CLOSINGS = 300;

  private final List<Socket> sockets = new ArrayList<>();
  private SlaveApi api;

  @BeforeEach
  void open() throws Exception {
    api = SlaveApi.open("/node", InetAddress.getLoopbackAddress(), new Alone(), TIMEOUT);
  }

  @AfterEach
  void close() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    api.close();
  }

  private void stall(String beginning) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port());
    socket.setSoTimeout(30_000); // Else a test that fails would never end.
    sockets.add(socket);
    socket.getOutputStream().write(beginning.getBytes(US_ASCII));
  }

  private Object master() throws Exception {
    URI here = URI.create("http://127.0.0.1:" + api.port() + "/");
    return new XmlRpcClient("/master").call(here, "getMasterUri");
  }

  @Test
  void cutsOffWhoDoesNotEndTheRequest() throws Exception {
    for (int i = 0; i < STALLED; i++) {
      stall(i % 2 == 0 ? "POST / HT" : "POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n<?xml");
    }
    for (Socket socket : sockets) {
      assertThat(socket.getInputStream().read()).as("cut off").isNegative();
    }
    assertThat(master()).isEqualTo("http://nowhere");
  }

  /** A request begun by a thread that the closing has not reached must not die of an exception. */
  @Test
  void aRequestThatComesWhileItIsClosedDoesNoHarm() throws Exception {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, e) -> {
          if (thread.getName().equals("/node answers")) {
            uncaught.add(e);
          }
        });
    try {
      for (int i = 0; i < CLOSINGS; i++) {
        stall("POST / HTTP/1.1\r\n");
        api.close();
        sockets.remove(0).close();
        open();
      }
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(uncaught).isEmpty();
  }

  /** A node without topics. */
  private static final class Alone implements SlaveApi.Handler {

    @Override
    public void publishers(String topic, List<?> uris) {}

    @Override
    public List<Object> connectionParameters(String topic) {
      return null;
    }

    @Override
    public List<List<String>> subscriptions() {
      return List.of();
    }

    @Override
    public List<List<String>> publications() {
      return List.of();
    }

    @Override
    public String master() {
      return "http://nowhere";
    }

    @Override
    public void shutdown(String why) {}
  }
}
