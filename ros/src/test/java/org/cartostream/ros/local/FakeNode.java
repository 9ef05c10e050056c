package org.cartostream.ros.local;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.ros.serialization.ServiceType;

/** A graph that is the test alone: it delivers messages, and records what is published. */
public final class FakeNode implements RosNode {

  private final Map<String, String> parameters;
  private final Map<String, String> remappings;
  private final Map<String, Consumer<?>> heard = new ConcurrentHashMap<>();
  private final Map<String, List<Record>> published = new ConcurrentHashMap<>();
  private final Map<String, Function<?, ?>> served = new ConcurrentHashMap<>();

  /**
   * @param parameters of the graph, by their names as a node asks for them
   * @param remappings of names; others mean what they say
   */
  public FakeNode(Map<String, String> parameters, Map<String, String> remappings) {
    this.parameters = parameters;
    this.remappings = remappings;
  }

  /** Publishes a message to who has subscribed. */
  @SuppressWarnings("unchecked")
  public <M extends Record> void deliver(String topic, M message) {
    ((Consumer<M>) heard.get(topic)).accept(message);
  }

  /** What was published; null if nobody has said that it will be. */
  public List<Record> published(String topic) {
    return published.get(topic);
  }

  /** Calls a service. */
  @SuppressWarnings("unchecked")
  public <Q extends Record, A> A call(String service, Q request) {
    return ((Function<Q, A>) served.get(service)).apply(request);
  }

  @Override
  public GraphNames names() {
    return new GraphNames("/", "cartostream", remappings);
  }

  @Override
  public String resolve(String name) {
    return remappings.getOrDefault(name, name);
  }

  @Override
  public <M extends Record> void subscribe(
      String topic, MessageType<M> type, TopicQos qos, Consumer<M> listener) {
    heard.put(topic, listener);
  }

  @Override
  public <M extends Record> Publisher<M> advertise(
      String topic, MessageType<M> type, boolean latched) {
    List<Record> messages = published.computeIfAbsent(topic, none -> new CopyOnWriteArrayList<>());
    return new Publisher<>() {
      @Override
      public void send(M message) {
        messages.add(message);
      }

      @Override
      public int subscribers() {
        return 1;
      }
    };
  }

  @Override
  public <Q extends Record, A extends Record> void advertiseService(
      String service, ServiceType<Q, A> type, Function<Q, A> answer) {
    served.put(service, answer);
  }

  @Override
  public Optional<String> parameter(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  @Override
  public void close() {}
}
