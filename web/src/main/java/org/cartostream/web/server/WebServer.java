package org.cartostream.web.server;

import java.io.IOException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.web.foxglove.FoxgloveClient;
import org.cartostream.web.foxglove.FoxgloveHub;
import org.cartostream.web.observer.RunObserver;
import org.cartostream.web.observer.RunObservers;
import org.cartostream.web.playback.Playback;
import org.cartostream.web.state.ObservedRun;
import org.cartostream.web.supervision.Supervision;
import org.cartostream.web.viewer.ShownRuns;
import org.cartostream.web.viewer.Viewer;
import org.cartostream.web.viewer.Viewers;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.WebSocketCreator;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;

/**
 * Web server for the page of a run, of several robots, or of a recording: files, JSON and the
 * WebSockets of viewers and of Foxglove clients, at one port. All memory that clients can occupy is
 * bounded. Owns the port and its threads.
 */
public final class WebServer implements AutoCloseable {

  /** Number of threads: two for Jetty itself, the others to answer requests. */
  private static final int THREADS = 8;

  /** Maximum number of admitted connections: a browser opens up to six beside its WebSocket. */
  private static final int MAX_CONNECTIONS = 8 * Viewers.MAX;

  /** Idle time of a WebSocket: longer than a viewer may be silent. */
  private static final Duration VIEWER_IDLE = Duration.ofSeconds(60);

  /** Idle time of a connection without requests, after which it makes its place free for others. */
  private static final Duration IDLE = Duration.ofSeconds(10);

  /** Password of the key in the key store, which is kept in memory only. */
  private static final String IN_MEMORY_ONLY = "in memory only";

  /** Maximum length of a viewer's message, bytes. */
  private static final int MAX_MESSAGE_BYTES = 64;

  private final Server server;
  private final ShownRuns runs;
  private final FoxgloveHub foxglove;
  private final RunObserver observer;
  private final String url;

  private WebServer(
      Server server, ShownRuns runs, FoxgloveHub foxglove, RunObserver observer, String url) {
    this.server = server;
    this.runs = runs;
    this.foxglove = foxglove;
    this.observer = observer;
    this.url = url;
  }

  /**
   * Starts to serve the page of a live run.
   *
   * @param buttons actions of the page's buttons, by name; run by the server's threads
   * @throws IOException if the address cannot be used; the message is one sentence
   */
  public static WebServer start(WebAddress address, ObservedRun run, Map<String, Runnable> buttons)
      throws IOException {
    ShownRuns runs = new ShownRuns(run, List.copyOf(buttons.keySet()));
    RequestHandler.Shown shown =
        new RequestHandler.Shown(runs, buttons, Optional.empty(), Optional.empty());
    return start(address, shown, run);
  }

  /**
   * Starts to serve the page that plays a recorded run.
   *
   * @param run last state of the run, for clients that ask for the present state
   * @throws IOException if the address cannot be used; the message is one sentence
   */
  public static WebServer start(WebAddress address, ObservedRun run, Playback playback)
      throws IOException {
    ShownRuns runs = new ShownRuns(run, List.of());
    RequestHandler.Shown shown =
        new RequestHandler.Shown(
            runs, Map.of(), Optional.of(new PlaybackRequests(playback)), Optional.empty());
    return start(address, shown, run);
  }

  /**
   * Starts to serve the page of several robots, which are added as they are found, and of the
   * service's processes. Foxglove clients are sent nothing.
   *
   * @throws IOException if the address cannot be used; the message is one sentence
   */
  public static WebServer start(WebAddress address, ShownRuns runs, Supervision supervision)
      throws IOException {
    RequestHandler.Shown shown =
        new RequestHandler.Shown(runs, Map.of(), Optional.empty(), Optional.of(supervision));
    return start(address, shown, RunObserver.NONE);
  }

  private static WebServer start(WebAddress address, RequestHandler.Shown shown, RunObserver run)
      throws IOException {
    AccessRules rules =
        address.isLoopback()
            ? AccessRules.open(address.nameForBrowsers())
            : AccessRules.withToken(address.nameForBrowsers());
    Server server = server();
    GuardedConnector connector = connector(server, address);
    RequestHandler handler = new RequestHandler(rules, connector, shown);
    FoxgloveHub foxglove = new FoxgloveHub();
    handler.setHandler(webSockets(server, shown.runs(), foxglove));
    server.setHandler(handler);
    WebServer started =
        new WebServer(
            server,
            shown.runs(),
            foxglove,
            RunObservers.of(List.of(run, foxglove.observer())),
            url(address, connector.getLocalPort(), rules));
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

  private static GuardedConnector connector(Server server, WebAddress address) throws IOException {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    HttpConnectionFactory plain = new HttpConnectionFactory(http);
    GuardedConnector connector =
        address.tls().isEmpty()
            ? new GuardedConnector(server, MAX_CONNECTIONS, plain)
            : new GuardedConnector(server, MAX_CONNECTIONS, tls(address.tls().get(), plain), plain);
    connector.setHost(address.host());
    connector.setPort(address.port());
    connector.setIdleTimeout(IDLE.toMillis());
    server.addConnector(connector);
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

  private static SslConnectionFactory tls(TlsFolder folder, HttpConnectionFactory inside)
      throws IOException {
    SslContextFactory.Server factory = new SslContextFactory.Server();
    try {
      factory.setKeyStore(folder.ownStore(IN_MEMORY_ONLY.toCharArray()));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(
          "%s and %s, an EC key in PKCS 8, are needed for TLS, and cannot be used: %s"
              .formatted(folder.certificate(), folder.key(), e),
          e);
    }
    factory.setKeyManagerPassword(IN_MEMORY_ONLY);
    factory.setIncludeProtocols("TLSv1.3");
    return new SslConnectionFactory(factory, inside.getProtocol());
  }

  /** Returns the cause of an error, as Jetty's own message names the address only. */
  private static String reason(IOException e) {
    return e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
  }

  private static WebSocketUpgradeHandler webSockets(
      Server server, ShownRuns runs, FoxgloveHub foxglove) {
    return WebSocketUpgradeHandler.from(
        server,
        container -> {
          container.setMaxTextMessageSize(MAX_MESSAGE_BYTES);
          container.setMaxBinaryMessageSize(MAX_MESSAGE_BYTES);
          container.setIdleTimeout(VIEWER_IDLE);
          WebSocketCreator creator =
              (request, response, callback) -> {
                String protocol = protocol(request.getSubProtocols());
                String robot = Request.extractQueryParameters(request).getValue("robot");
                Optional<Viewers> viewers = runs.viewers(robot);
                if (protocol == null || viewers.isEmpty()) {
                  response.setStatus(400);
                  callback.succeeded();
                  return null;
                }
                response.setAcceptedSubProtocol(protocol);
                response.setExtensions(List.of()); // Tiles are deflated already.
                return protocol.equals(Viewer.PROTOCOL)
                    ? new Viewer(viewers.get())
                    : new FoxgloveClient(foxglove);
              };
          container.addMapping(RequestHandler.WEB_SOCKET, creator);
          container.addMapping("/", creator); // Foxglove connects here.
        });
  }

  /** Returns the server's first protocol that a client knows, too; null if it knows none. */
  private static String protocol(List<String> known) {
    List<String> served = new ArrayList<>(List.of(Viewer.PROTOCOL));
    served.addAll(FoxgloveClient.PROTOCOLS);
    return served.stream().filter(known::contains).findFirst().orElse(null);
  }

  private static String url(WebAddress address, int port, AccessRules rules)
      throws UnknownHostException {
    String scheme = address.tls().isPresent() ? "https" : "http";
    String url = "%s://%s:%d/".formatted(scheme, address.nameForBrowsers(), port);
    return rules.needsToken() ? url + "?token=" + rules.token() : url;
  }

  /** Returns the observer that shows a run to all viewers. */
  public RunObserver observer() {
    return observer;
  }

  /** Returns the page's address for a browser, with the token if one is needed. */
  public String url() {
    return url;
  }

  /** Sends all viewers the last state, and stops the server. */
  @Override
  public void close() {
    runs.close();
    foxglove.close();
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the page's server cannot be stopped", e);
    }
  }
}
