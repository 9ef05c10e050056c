package org.cartostream.bench.viewers;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.connection.AnswerFeed;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.web.fleet.ObservedFleet;
import org.cartostream.web.server.WebAddress;
import org.cartostream.web.server.WebServer;
import org.cartostream.web.supervision.Supervision;
import org.cartostream.web.viewer.ShownRuns;

/**
 * The page of a service's robots, and viewers of it: WebSocket clients that take whatever they are
 * sent, and ask for the next. Owns the page and the connections.
 */
final class WatchedPage implements AutoCloseable {

  private final WebServer server;
  private final AnswerFeed answers;
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<WebSocket> viewers = new ArrayList<>();
  private final AtomicLong bytes = new AtomicLong();

  private WatchedPage(WebServer server, AnswerFeed answers) {
    this.server = server;
    this.answers = answers;
  }

  static WatchedPage open(BrokerSettings broker) throws IOException {
    ShownRuns runs = new ShownRuns();
    Supervision supervision = new Supervision();
    ObservedFleet fleet = new ObservedFleet(runs, supervision);
    WebServer server = WebServer.start(new WebAddress("127.0.0.1", 0), runs, supervision);
    try {
      return new WatchedPage(server, AnswerFeed.open(broker, fleet, fleet));
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** One more looks at a robot, which must have been heard of; false if it was not. */
  boolean watch(String robot) {
    URI page = URI.create(server.url());
    URI socket = URI.create("ws://127.0.0.1:" + page.getPort() + "/ws?robot=" + robot);
    try {
      viewers.add(
          client
              .newWebSocketBuilder()
              .subprotocols("cartostream.v1")
              .buildAsync(socket, new Viewer())
              .join());
      return true;
    } catch (CompletionException e) {
      return false;
    }
  }

  /** Returns the bytes that all viewers together were sent. */
  long bytes() {
    return bytes.get();
  }

  private final class Viewer implements WebSocket.Listener {

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer part, boolean last) {
      bytes.addAndGet(part.remaining());
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
      bytes.addAndGet(part.length());
      if (last) {
        socket.sendText("next", true);
      }
      socket.request(1);
      return null;
    }
  }

  @Override
  public void close() {
    viewers.forEach(WebSocket::abort);
    answers.close();
    server.close();
  }
}
