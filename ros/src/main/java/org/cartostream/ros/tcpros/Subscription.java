package org.cartostream.ros.tcpros;

import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.cartostream.ros.node.RosNodeListener;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.ros.xmlrpc.XmlRpcClient;

/**
 * A subscribed topic. Owns the publishers that the master names, and the connection to each.
 *
 * <p>A connection whose publisher is not named any more stays as long as it works: a master that
 * was started again knows nobody, while the publishers go on.
 *
 * @param <M> the message
 */
final class Subscription<M extends Record> {

  /**
   * Each connection has a thread, and anybody may name publishers; but many robots at one master
   * all publish {@code /tf}.
   */
  static final int MAX_CONNECTIONS = 1000;

  private final String topic;
  private final MessageType<M> type;
  private final int maxConnections;
  private final Consumer<M> listener;
  private final Set<URI> named = new HashSet<>();
  private final Map<URI, PublisherConnection<M>> connections = new HashMap<>();
  private boolean closed;

  /**
   * @param maxConnections at most so many publishers are connected to
   */
  Subscription(String topic, MessageType<M> type, int maxConnections, Consumer<M> listener) {
    this.topic = topic;
    this.type = type;
    this.maxConnections = maxConnections;
    this.listener = listener;
  }

  String topic() {
    return topic;
  }

  MessageType<M> type() {
    return type;
  }

  /** The master names the publishers, as they are now. */
  synchronized void publishers(
      List<?> uris, XmlRpcClient xmlRpcClient, String node, RosNodeListener reports) {
    if (closed) {
      return;
    }
    named.clear();
    int leftOut = 0;
    for (Object each : uris) {
      URI uri = URI.create(each.toString());
      named.add(uri);
      if (!connections.containsKey(uri) && connections.size() >= maxConnections) {
        leftOut++;
        continue;
      }
      connections.computeIfAbsent(
          uri,
          missing -> {
            PublisherConnection<M> connection =
                new PublisherConnection<>(this, uri, xmlRpcClient, node, reports);
            NodeThreads.start(node + " receives " + topic + " from " + uri, connection);
            return connection;
          });
    }
    if (leftOut > 0) {
      reports.onTrouble(
          topic,
          leftOut
              + " publishers are left out: at most "
              + maxConnections
              + " of a topic are connected to, and so many are");
    }
  }

  void deliver(M message) {
    listener.accept(message);
  }

  /** True if a connection that broke should be made again; else it is forgotten. */
  synchronized boolean shouldReconnect(PublisherConnection<M> connection) {
    boolean goesOn = !closed && named.contains(connection.publisher());
    if (!goesOn) {
      connections.remove(connection.publisher(), connection);
    }
    return goesOn;
  }

  synchronized void close() {
    closed = true;
    connections.values().forEach(PublisherConnection::close);
    connections.clear();
  }
}
