package org.cartostream.gateway.ros.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * What the master and other nodes may ask this node by XML-RPC (wiki.ros.org/ROS/Slave_API). Owns
 * the HTTP server and its threads.
 */
final class SlaveApi implements AutoCloseable {

  /** Answers the calls. */
  interface Answers {

    /** The publishers of a topic are these. */
    void publishers(String topic, List<?> uris);

    /** Where a topic of this node can be had by TCPROS; null if there is no such topic. */
    List<Object> wayTo(String topic);

    /** Pairs of topic and type. */
    List<List<String>> subscriptions();

    /** Pairs of topic and type. */
    List<List<String>> publications();

    /** The master's address. */
    String master();

    /** Somebody wants the node to end. */
    void shutdown(String why);
  }

  private static final int THREADS = 4;

  /** Who has not asked or not taken the answer by then is cut off: there are few threads. */
  private static final long TIMEOUT_MILLIS = 5000;

  private static final int MOST_BYTES = 1 << 20;
  private static final int OK = 1;
  private static final int ERROR = -1;

  private final HttpServer server;
  private final ExecutorService threads;
  private final Answers answers;

  private SlaveApi(String node, HttpServer server, Answers answers) {
    this.server = server;
    this.threads = Executors.newFixedThreadPool(THREADS, work -> thread(node + " answers", work));
    this.answers = answers;
  }

  /** Serves on a free port. */
  static SlaveApi open(String node, InetAddress bind, Answers answers) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(bind, 0), 50);
    SlaveApi api = new SlaveApi(node, server, answers);
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

  /** Serves one request. The server reads and writes by channels, which an interrupt closes. */
  private void inTime(Runnable work) {
    FutureTask<?> task = new FutureTask<>(work, null);
    // The JDK's own clock: one of ours would refuse a request that is begun while it is closed.
    CompletableFuture<Void> end = new CompletableFuture<>();
    end.orTimeout(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
        .whenComplete((inTime, late) -> task.cancel(true)); // Nothing happens to one that is done.
    task.run();
    end.complete(null);
  }

  int port() {
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
      return XmlRpc.response(answer(XmlRpc.readCall(request.readNBytes(MOST_BYTES))));
    } catch (RosException | ClassCastException | IndexOutOfBoundsException e) {
      return XmlRpc.fault(String.valueOf(e.getMessage()));
    }
  }

  private List<Object> answer(XmlRpc.Call call) {
    List<Object> parameters = call.parameters();
    return switch (call.method()) {
      case "publisherUpdate" -> {
        answers.publishers((String) parameters.get(1), (List<?>) parameters.get(2));
        yield ok(0);
      }
      case "requestTopic" -> {
        String topic = (String) parameters.get(1);
        List<Object> way = answers.wayTo(topic);
        yield way == null ? List.of(ERROR, "no publication of " + topic, 0) : ok(way);
      }
      case "getPid" -> ok((int) ProcessHandle.current().pid());
      case "getMasterUri" -> ok(answers.master());
      case "getSubscriptions" -> ok(answers.subscriptions());
      case "getPublications" -> ok(answers.publications());
      case "getBusInfo" -> ok(List.of());
      case "getBusStats" -> ok(List.of(List.of(), List.of(), List.of()));
      case "paramUpdate" -> ok(0);
      case "shutdown" -> {
        answers.shutdown(parameters.size() > 1 ? String.valueOf(parameters.get(1)) : "");
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
