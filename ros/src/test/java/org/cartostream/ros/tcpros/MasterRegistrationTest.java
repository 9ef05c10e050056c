package org.cartostream.ros.tcpros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.cartostream.ros.xmlrpc.XmlRpc;
import org.cartostream.ros.xmlrpc.XmlRpcClient;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With a master that knows nodes by name, and nothing else. */
@Quick
class MasterRegistrationTest {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String FIRST = "http://127.0.0.1:1/";
  private static final String SECOND = "http://127.0.0.1:2/";

  private final Map<String, String> addresses = new ConcurrentHashMap<>();
  private final List<String> publishers = new CopyOnWriteArrayList<>();
  private final AtomicInteger registrations = new AtomicInteger();
  private final AtomicInteger looksOfWitness = new AtomicInteger();
  private final List<MasterRegistration> masterRegistrations = new ArrayList<>();
  private HttpServer master;

  @BeforeEach
  void startMaster() throws Exception {
    master = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    master.createContext("/", this::answer);
    master.start();
  }

  @AfterEach
  void stop() {
    masterRegistrations.forEach(MasterRegistration::close);
    master.stop(0);
  }

  private static ConditionFactory soon() {
    return await().atMost(SOON).pollInterval(Duration.ofMillis(10));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] response =
          XmlRpc.response(answer(XmlRpc.readCall(exchange.getRequestBody().readAllBytes())));
      exchange.sendResponseHeaders(200, response.length);
      exchange.getResponseBody().write(response);
    }
  }

  private List<Object> answer(XmlRpc.Call call) {
    String node = (String) call.parameters().get(0);
    if (call.method().equals("registerPublisher")) {
      addresses.put(node, (String) call.parameters().get(3));
      registrations.incrementAndGet();
      return List.of(1, "", List.of());
    }
    if (call.method().equals("registerSubscriber")) {
      return List.of(1, "", List.copyOf(publishers));
    }
    if (call.method().equals("lookupNode")) {
      if (node.equals("/witness")) {
        looksOfWitness.incrementAndGet();
      }
      String there = addresses.get(node);
      return there == null ? List.of(-1, "unknown node " + node, "") : List.of(1, "", there);
    }
    return List.of(1, "", 1);
  }

  private MasterRegistration registrar(
      String node, String address, RecordingListener recordingListener) {
    URI uri = URI.create("http://127.0.0.1:" + master.getAddress().getPort());
    MasterRegistration masterRegistration =
        new MasterRegistration(
            uri,
            node,
            URI.create(address),
            new XmlRpcClient(node),
            recordingListener,
            new MasterRegistration.Intervals(Duration.ofMillis(20), Duration.ofMillis(1)));
    masterRegistrations.add(masterRegistration);
    masterRegistration.add(
        new MasterRegistration.Registration(
            "/topic",
            List.of("registerPublisher", "/topic", "std_msgs/Float64", address),
            List.of("unregisterPublisher", "/topic", address),
            subscribers -> {},
            false));
    masterRegistration.start();
    return masterRegistration;
  }

  /** Else two gateways would take it from each other again and again. */
  @Test
  void leavesItsNameToTheNodeThatTookItAndSaysSoOnce() {
    RecordingListener recordingListener = new RecordingListener();
    MasterRegistration masterRegistration = registrar("/twin", FIRST, recordingListener);
    registrar("/witness", "http://127.0.0.1:3/", new RecordingListener());
    soon().until(() -> FIRST.equals(addresses.get("/twin")));
    soon().until(() -> recordingListener.back.size() == 1);
    addresses.put("/twin", SECOND);
    soon().until(() -> !recordingListener.failures.isEmpty());
    int looks = looksOfWitness.get();
    soon().until(() -> looksOfWitness.get() >= looks + 2);
    masterRegistration.end("the master says so, too");
    assertThat(recordingListener.failures)
        .containsExactly("another node has taken the name /twin: " + SECOND);
    assertThat(recordingListener.shutdowns).isEmpty();
    assertThat(addresses).containsEntry("/twin", SECOND);
  }

  /** The master's own word of it may have come while the link was cut. */
  @Test
  void learnsOfAPublisherOfWhichTheMasterDoesNotTell() {
    List<Object> told = new CopyOnWriteArrayList<>();
    MasterRegistration masterRegistration = registrar("/hearer", FIRST, new RecordingListener());
    masterRegistration.add(
        new MasterRegistration.Registration(
            "/scan",
            List.of("registerSubscriber", "/scan", "std_msgs/Float64", FIRST),
            List.of("unregisterSubscriber", "/scan", FIRST),
            told::add,
            true));
    soon().until(() -> told.contains(List.of()));
    publishers.add(SECOND);
    soon().until(() -> told.contains(List.of(SECOND)));
    assertThat(registrations).as("what has no answer is registered once").hasValue(1);
  }
}
