package org.cartostream.web.server;

import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.cartostream.web.state.ObservedRun;
import org.cartostream.web.viewer.Viewer;
import org.cartostream.web.viewer.Viewers;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;

/**
 * Serves the live page of one run: files, JSON and the viewers' WebSockets at one port. Everything
 * that others can make it hold is bounded. Owns the port and its threads.
 */
public final class WebServer implements AutoCloseable {

  /** Jetty's own two, and some that answer. */
  private static final int THREADS = 8;

  /** A browser opens up to six beside its WebSocket. */
  private static final int MOST_CONNECTIONS = 8 * Viewers.MOST;

  /** Longer than a viewer may be silent. */
  private static final Duration IDLE = Duration.ofSeconds(60);

  /** Of what a viewer says. */
  private static final int MOST_MESSAGE_BYTES = 64;

  private final Server server;
  private final Viewers viewers;
  private final String url;

  private WebServer(Server server, Viewers viewers, String url) {
    this.server = server;
    this.viewers = viewers;
    this.url = url;
  }

  /**
   * Starts to serve.
   *
   * @param buttons what a viewer can ask for, by its name; run by the server's threads
   * @throws IOException if the address cannot be had: one sentence says why
   */
  public static WebServer start(WebAddress address, ObservedRun run, Map<String, Runnable> buttons)
      throws IOException {
    AccessRules rules = address.isLoopback() ? AccessRules.open() : AccessRules.withToken();
    Server server = server();
    ServerConnector connector = connector(server, address);
    Viewers viewers = new Viewers(run, List.copyOf(buttons.keySet()));
    RequestHandler handler = new RequestHandler(rules, run, viewers, buttons);
    handler.setHandler(webSockets(server, viewers));
    server.setHandler(handler);
    WebServer started =
        new WebServer(server, viewers, url(address, connector.getLocalPort(), rules));
    try {
      server.start();
    } catch (Exception e) {
      started.close();
      throw new IOException("the page cannot be served at " + address.host() + ": " + e, e);
    }
    return started;
  }

  private static Server server() {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS);
    threads.setName("web");
    threads.setDaemon(true);
    Server server = new Server(threads);
    server.setStopTimeout(0);
    return server;
  }

  private static ServerConnector connector(Server server, WebAddress address) throws IOException {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(address.host());
    connector.setPort(address.port());
    connector.setIdleTimeout(IDLE.toMillis());
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, connector));
    try {
      connector.open();
    } catch (IOException e) {
      throw new IOException(
          "port %d of %s cannot be had (%s); another is named by --web=%s:PORT, and 0 takes any that is free"
              .formatted(address.port(), address.host(), reason(e), address.host()),
          e);
    }
    return connector;
  }

  /** Jetty's own sentence names the address only. */
  private static String reason(IOException e) {
    return e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
  }

  private static WebSocketUpgradeHandler webSockets(Server server, Viewers viewers) {
    return WebSocketUpgradeHandler.from(
        server,
        container -> {
          container.setMaxTextMessageSize(MOST_MESSAGE_BYTES);
          container.setMaxBinaryMessageSize(MOST_MESSAGE_BYTES);
          container.setIdleTimeout(IDLE);
          container.addMapping(
              RequestHandler.WEB_SOCKET,
              (request, response, callback) -> {
                if (!request.getSubProtocols().contains(Viewer.PROTOCOL)) {
                  response.setStatus(400);
                  callback.succeeded();
                  return null;
                }
                response.setAcceptedSubProtocol(Viewer.PROTOCOL);
                response.setExtensions(List.of()); // Tiles are deflated already.
                return new Viewer(viewers);
              });
        });
  }

  private static String url(WebAddress address, int port, AccessRules rules)
      throws UnknownHostException {
    String url = "http://%s:%d/".formatted(address.nameForBrowsers(), port);
    return rules.needsToken() ? url + "?token=" + rules.token() : url;
  }

  /** What a browser is to open, with the token if one is needed. */
  public String url() {
    return url;
  }

  /** Sends everybody the last state, and ends. */
  @Override
  public void close() {
    viewers.close();
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the page's server cannot be stopped", e);
    }
  }
}
