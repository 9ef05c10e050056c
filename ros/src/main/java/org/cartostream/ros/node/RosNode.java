package org.cartostream.ros.node;

import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.cartostream.ros.RosException;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.ros.serialization.ServiceType;

/**
 * A node in a ROS graph: it subscribes to topics, publishes others, serves, and reads parameters.
 * {@code TcpRosNode} is a node of ROS 1, {@code Ros2Node} of ROS 2, and {@code RosbridgeNode} of a
 * graph behind a rosbridge server.
 *
 * <p>Names are as {@link GraphNames} resolves them. No method waits for the master (except {@link
 * #parameter}): registrations are done as soon as the master is there, and again after its outages.
 */
public interface RosNode extends AutoCloseable {

  /** Returns the resolution of names in this node. */
  GraphNames names();

  /** Returns the node's global name, such as {@code /cartostream}. */
  default String name() {
    return names().node();
  }

  /** Returns the global name that {@code name} stands for in this node. */
  default String resolve(String name) {
    return names().resolve(name);
  }

  /** Subscribes to a topic with {@link TopicQos#SENSOR_DATA}. */
  default <M extends Record> void subscribe(
      String topic, MessageType<M> type, Consumer<M> listener) {
    subscribe(topic, type, TopicQos.SENSOR_DATA, listener);
  }

  /**
   * Subscribes to a topic of all present and future publishers.
   *
   * @param qos quality of service, which only ROS 2 has
   * @param listener called by one thread per publisher, so by several at once
   */
  <M extends Record> void subscribe(
      String topic, MessageType<M> type, TopicQos qos, Consumer<M> listener);

  /**
   * True if somebody publishes a topic, as far as this node knows. Only a node of ROS 2 checks its
   * graph; others return true.
   */
  default boolean isPublished(String topic, MessageType<?> type) {
    return true;
  }

  /**
   * Returns the types under which other nodes publish a topic, as far as this node knows; empty
   * except in ROS 2.
   */
  default Set<String> publishedTypes(String topic) {
    return Set.of();
  }

  /**
   * Publishes a topic.
   *
   * @param latched true if a later subscriber is sent the last message first
   */
  <M extends Record> Publisher<M> advertise(String topic, MessageType<M> type, boolean latched);

  /**
   * Answers calls of a service.
   *
   * @param answer called by one thread per caller; a {@link RosException}'s sentence goes to the
   *     caller in place of an answer
   */
  <Q extends Record, A extends Record> void advertiseService(
      String service, ServiceType<Q, A> type, Function<Q, A> answer);

  /**
   * Returns a string, number or boolean parameter as text; empty if it is not set.
   *
   * @throws RosException if the master does not answer
   */
  Optional<String> parameter(String name);

  /** Leaves the graph. */
  @Override
  void close();

  /**
   * Publishes one topic.
   *
   * @param <M> the message
   */
  interface Publisher<M extends Record> {

    /**
     * Sends a message to all subscribers without waiting; a slow subscriber misses older messages.
     */
    void send(M message);

    /** Returns the current number of subscribers. */
    int subscribers();
  }
}
