package org.cartostream.ros.tcpros;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.cartostream.ros.RosException;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.node.RosNodeListener;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.ros.serialization.ServiceType;
import org.cartostream.ros.xmlrpc.SlaveApi;
import org.cartostream.ros.xmlrpc.XmlRpcClient;

/**
 * A ROS 1 node that uses only the JDK: XML-RPC to the master and between nodes, TCPROS for topics
 * and services (wiki.ros.org/ROS/Technical%20Overview).
 *
 * <p>Owns its subscriptions, publications and services, and the threads behind them.
 */
public final class TcpRosNode implements RosNode {

  /**
   * Intervals of checks of the master, and of requests for all publishers, because an announcement
   * of one may be lost.
   */
  private static final MasterRegistration.Intervals INTERVALS =
      new MasterRegistration.Intervals(Duration.ofSeconds(1), Duration.ofSeconds(30));

  /** Time for a caller of this node to send its request and to take the answer. */
  private static final Duration CALLER_TIMEOUT = Duration.ofSeconds(5);

  /** Sent by rosmaster to a node whose name another has registered. */
  private static final String NAME_TAKEN = "new node registered with same name";

  private final URI master;
  private final GraphNames names;
  private final RosNodeListener listener;
  private final NodeAddress address;
  private final XmlRpcClient xmlRpcClient;
  private final Map<String, Subscription<?>> subscriptions = new ConcurrentHashMap<>();
  private final TcprosServer tcprosServer;
  private final SlaveApi api;
  private final MasterRegistration masterRegistration;

  private TcpRosNode(URI master, GraphNames names, NodeAddress address, RosNodeListener listener)
      throws IOException {
    this.master = master;
    this.names = names;
    this.address = address;
    this.listener = listener;
    xmlRpcClient = new XmlRpcClient(names.node());
    tcprosServer =
        TcprosServer.open(names.node(), address.bind(), TcprosServer.MAX_CONNECTIONS, listener);
    api = SlaveApi.open(names.node(), address.bind(), new SlaveApiHandler(), CALLER_TIMEOUT);
    masterRegistration =
        new MasterRegistration(
            master, names.node(), address.uri(api.port()), xmlRpcClient, listener, INTERVALS);
    masterRegistration.start();
  }

  /**
   * Starts a node, which connects to the master when it can.
   *
   * @param master such as {@code http://localhost:11311}
   * @param environment may hold {@code ROS_HOSTNAME} or {@code ROS_IP}
   * @throws RosException if this computer does not let it listen
   */
  public static TcpRosNode start(
      URI master, GraphNames names, Map<String, String> environment, RosNodeListener listener) {
    NodeAddress address = NodeAddress.of(master, environment);
    try {
      return new TcpRosNode(master, names, address, listener);
    } catch (IOException e) {
      throw new RosException(
          "a node cannot listen at " + address.advertised() + ": " + e.getMessage(), e);
    }
  }

  @Override
  public GraphNames names() {
    return names;
  }

  @Override
  public <M extends Record> void subscribe(
      String topic, MessageType<M> type, TopicQos qos, Consumer<M> messages) {
    String global = names.resolve(topic);
    Subscription<M> subscription =
        new Subscription<>(global, type, Subscription.MAX_CONNECTIONS, messages);
    if (subscriptions.putIfAbsent(global, subscription) != null) {
      throw new RosException(name() + " subscribes to " + global + " already");
    }
    String here = address.uri(api.port()).toString();
    masterRegistration.add(
        new MasterRegistration.Registration(
            global,
            List.of("registerSubscriber", global, type.name(), here),
            List.of("unregisterSubscriber", global, here),
            answer -> publishers(global, answer),
            true));
  }

  private void publishers(String topic, Object uris) {
    Subscription<?> subscription = subscriptions.get(topic);
    if (subscription == null || !(uris instanceof List<?> list)) {
      return;
    }
    try {
      subscription.publishers(list, xmlRpcClient, name(), listener);
    } catch (IllegalArgumentException e) {
      listener.onTrouble(topic, "the master names a publisher without an address: " + list);
    }
  }

  @Override
  public <M extends Record> Publisher<M> advertise(
      String topic, MessageType<M> type, boolean latched) {
    String global = names.resolve(topic);
    Publication<M> publication = new Publication<>(name(), global, type, latched);
    if (tcprosServer.topics().putIfAbsent(global, publication) != null) {
      throw new RosException(name() + " publishes " + global + " already");
    }
    String here = address.uri(api.port()).toString();
    masterRegistration.add(
        new MasterRegistration.Registration(
            global,
            List.of("registerPublisher", global, type.name(), here),
            List.of("unregisterPublisher", global, here),
            subscribers -> {},
            false));
    return publication;
  }

  @Override
  public <Q extends Record, A extends Record> void advertiseService(
      String service, ServiceType<Q, A> type, Function<Q, A> answer) {
    String global = names.resolve(service);
    if (tcprosServer
            .services()
            .putIfAbsent(global, new ServiceEndpoint<>(name(), global, type, answer))
        != null) {
      throw new RosException(name() + " serves " + global + " already");
    }
    String way = "rosrpc://" + address.advertised() + ":" + tcprosServer.port();
    masterRegistration.add(
        new MasterRegistration.Registration(
            global,
            List.of("registerService", global, way, address.uri(api.port()).toString()),
            List.of("unregisterService", global, way),
            nothing -> {},
            false));
  }

  @Override
  public Optional<String> parameter(String name) {
    try {
      return Optional.of(xmlRpcClient.call(master, "getParam", names.resolve(name)).toString());
    } catch (XmlRpcClient.DeclinedException unset) {
      return Optional.empty();
    } catch (IOException e) {
      throw new RosException("no ROS master answers at " + master + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RosException("interrupted while the master was asked for " + name, e);
    }
  }

  /** Leaves the graph first, so that no further node connects; then ends the connections. */
  @Override
  public void close() {
    masterRegistration.close();
    subscriptions.values().forEach(Subscription::close);
    api.close();
    tcprosServer.close();
  }

  /** Handler of calls from the master and other nodes. */
  private final class SlaveApiHandler implements SlaveApi.Handler {

    @Override
    public void publishers(String topic, List<?> uris) {
      TcpRosNode.this.publishers(topic, uris);
    }

    @Override
    public List<Object> connectionParameters(String topic) {
      return tcprosServer.topics().containsKey(topic)
          ? List.of("TCPROS", address.advertised(), tcprosServer.port())
          : null;
    }

    @Override
    public List<List<String>> subscriptions() {
      return subscriptions.values().stream()
          .map(each -> List.of(each.topic(), each.type().name()))
          .toList();
    }

    @Override
    public List<List<String>> publications() {
      return tcprosServer.topics().entrySet().stream()
          .map(each -> List.of(each.getKey(), each.getValue().type().name()))
          .toList();
    }

    @Override
    public String master() {
      return master.toString();
    }

    @Override
    public void shutdown(String why) {
      String sentence = "the ROS graph ends " + name() + (why.isEmpty() ? "" : ": " + why);
      if (why.contains(NAME_TAKEN)) {
        masterRegistration.endForAnother(sentence);
      } else {
        masterRegistration.end(sentence);
      }
    }
  }
}
