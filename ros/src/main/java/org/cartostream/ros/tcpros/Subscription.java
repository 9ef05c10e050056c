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
 * <p>A connection to a publisher that the master no longer names stays as long as it works, because
 * a restarted master knows no publishers.
 *
 * @param <M> the message
 */
final class Subscription<M extends Record> {

  /**
   * Maximum number of connections, which bounds the threads: any node may name publishers. Large,
   * because many robots at one master may publish {@code /tf}.
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
   * @param maxConnections maximum number of connected publishers
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

  /** Sets the present publishers, as the master names them, and connects to new ones. */
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

  /** True if a broken connection is to be reopened; else removes it. */
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
