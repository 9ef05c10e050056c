package org.cartostream.ros.xmlrpc;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.RosException;

/**
 * The XML-RPC server of a node, for its master and other nodes (wiki.ros.org/ROS/Slave_API). Owns
 * the HTTP server and its threads.
 */
public final class SlaveApi implements AutoCloseable {

  /** Handler of the calls. */
  public interface Handler {

    /** Takes the present publishers of a topic. */
    void publishers(String topic, List<?> uris);

    /**
     * Returns the TCPROS protocol parameters of a topic of this node; null if there is no such
     * topic.
     */
    List<Object> connectionParameters(String topic);

    /** Returns the name and type of each subscribed topic. */
    List<List<String>> subscriptions();

    /** Returns the name and type of each published topic. */
    List<List<String>> publications();

    /** Returns the master's address. */
    String master();

    /** Called when another node requests that this one end. */
    void shutdown(String why);
  }

  private static final int THREADS = 4;

  private static final int MAX_BYTES = 1 << 20;
  private static final int OK = 1;
  private static final int ERROR = -1;

  private final HttpServer server;
  private final ExecutorService threads;
  private final Handler handler;
  private final Duration timeout;

  private SlaveApi(String node, HttpServer server, Handler handler, Duration timeout) {
    this.server = server;
    this.timeout = timeout;
    this.threads = Executors.newFixedThreadPool(THREADS, work -> thread(node + " answers", work));
    this.handler = handler;
  }

  /**
   * Serves on a free port.
   *
   * @param timeout time in which a caller must have sent its request and taken the answer, because
   *     there are few threads
   */
  public static SlaveApi open(String node, InetAddress bind, Handler handler, Duration timeout)
      throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(bind, 0), 50);
    SlaveApi api = new SlaveApi(node, server, handler, timeout);
    server.setExecutor(work -> api.threads.execute(() -> api.inTime(work)));
    server.createContext("/", api::handle);
    server.start();
    return api;
  }

  private static Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Serves one request within the time-out. After that the thread is interrupted, which closes the
   * channel of the connection.
   */
  private void inTime(Runnable work) {
    FutureTask<?> task = new FutureTask<>(work, null);
    // The JDK's timer: an own one would refuse requests that begin while it is being closed.
    CompletableFuture<Void> end = new CompletableFuture<>();
    end.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((inTime, late) -> task.cancel(true)); // Nothing happens to one that is done.
    task.run();
    end.complete(null);
  }

  public int port() {
    return server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] response = respond(exchange.getRequestBody());
      exchange.getResponseHeaders().set("Content-Type", "text/xml");
      exchange.sendResponseHeaders(200, response.length);
      exchange.getResponseBody().write(response);
    }
  }

  private byte[] respond(InputStream request) throws IOException {
    try {
      return XmlRpc.response(answer(XmlRpc.readCall(request.readNBytes(MAX_BYTES))));
    } catch (RosException | ClassCastException | IndexOutOfBoundsException e) {
      return XmlRpc.fault(String.valueOf(e.getMessage()));
    }
  }

  private List<Object> answer(XmlRpc.Call call) {
    List<Object> parameters = call.parameters();
    return switch (call.method()) {
      case "publisherUpdate" -> {
        handler.publishers((String) parameters.get(1), (List<?>) parameters.get(2));
        yield ok(0);
      }
      case "requestTopic" -> {
        String topic = (String) parameters.get(1);
        List<Object> way = handler.connectionParameters(topic);
        yield way == null ? List.of(ERROR, "no publication of " + topic, 0) : ok(way);
      }
      case "getPid" -> ok((int) ProcessHandle.current().pid());
      case "getMasterUri" -> ok(handler.master());
      case "getSubscriptions" -> ok(handler.subscriptions());
      case "getPublications" -> ok(handler.publications());
      case "getBusInfo" -> ok(List.of());
      case "getBusStats" -> ok(List.of(List.of(), List.of(), List.of()));
      case "paramUpdate" -> ok(0);
      case "shutdown" -> {
        handler.shutdown(parameters.size() > 1 ? String.valueOf(parameters.get(1)) : "");
        yield ok(0);
      }
      default -> throw new RosException("a node has no method " + call.method());
    };
  }

  private static List<Object> ok(Object value) {
    return List.of(OK, "", value);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
