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
 * {@code TcpRosNode} is one in ROS 1, {@code Ros2Node} one in ROS 2, {@code RosbridgeNode} one
 * through rosbridge; another client library could stand behind this as well.
 *
 * <p>Names are as {@link GraphNames} resolves them. Nothing waits for the master: what is asked for
 * happens as soon as it is there, and again when it has been away.
 */
public interface RosNode extends AutoCloseable {

  /** The names of the graph, as this node has them. */
  GraphNames names();

  /** The node's global name: {@code /cartostream}. */
  default String name() {
    return names().node();
  }

  /** The global name that {@code name} stands for in this node. */
  default String resolve(String name) {
    return names().resolve(name);
  }

  /** Subscribes to a topic as to a sensor's data, see the other method. */
  default <M extends Record> void subscribe(
      String topic, MessageType<M> type, Consumer<M> listener) {
    subscribe(topic, type, TopicQos.SENSOR_DATA, listener);
  }

  /**
   * Subscribes to a topic, of every publisher, now and later.
   *
   * @param qos quality of service, which only ROS 2 has
   * @param listener called by one thread per publisher, so by several at once
   */
  <M extends Record> void subscribe(
      String topic, MessageType<M> type, TopicQos qos, Consumer<M> listener);

  /**
   * True if somebody publishes a topic, as far as this node knows. In ROS 2 anybody may be in the
   * graph; elsewhere the master is the robot's.
   */
  default boolean isPublished(String topic, MessageType<?> type) {
    return true;
  }

  /** The types under which others publish a topic, as far as this node knows; only ROS 2 tells. */
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
   * A parameter that is a string, a number or true or false, as text; empty if it is not set.
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

    /** Sends to all subscribers, without waiting; one that is too slow misses older messages. */
    void send(M message);

    /** Returns the current number of subscribers. */
    int subscribers();
  }
}
