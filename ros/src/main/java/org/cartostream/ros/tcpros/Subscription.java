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
 * One topic that is heard. Owns which publishers the master names, and the link to each.
 *
 * <p>A link whose publisher is not named any more stays as long as it works: a master that was
 * started again knows nobody, while the publishers go on.
 *
 * @param <M> the message
 */
final class Subscription<M extends Record> {

  /**
   * Each link has a thread, and anybody may name publishers; but many robots at one master all
   * publish {@code /tf}.
   */
  static final int MOST_LINKS = 1000;

  private final String topic;
  private final MessageType<M> type;
  private final int mostLinks;
  private final Consumer<M> listener;
  private final Set<URI> named = new HashSet<>();
  private final Map<URI, PublisherConnection<M>> links = new HashMap<>();
  private boolean closed;

  /**
   * @param mostLinks from so many publishers it is heard at most
   */
  Subscription(String topic, MessageType<M> type, int mostLinks, Consumer<M> listener) {
    this.topic = topic;
    this.type = type;
    this.mostLinks = mostLinks;
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
      if (!links.containsKey(uri) && links.size() >= mostLinks) {
        leftOut++;
        continue;
      }
      links.computeIfAbsent(
          uri,
          missing -> {
            PublisherConnection<M> link =
                new PublisherConnection<>(this, uri, xmlRpcClient, node, reports);
            NodeThreads.start(node + " hears " + topic + " from " + uri, link);
            return link;
          });
    }
    if (leftOut > 0) {
      reports.onTrouble(
          topic,
          leftOut
              + " publishers are not heard: a topic is heard from "
              + mostLinks
              + " at most, and so many are linked");
    }
  }

  void deliver(M message) {
    listener.accept(message);
  }

  /** True if a link that broke should be made again; else it is forgotten. */
  synchronized boolean shouldReconnect(PublisherConnection<M> link) {
    boolean goesOn = !closed && named.contains(link.publisher());
    if (!goesOn) {
      links.remove(link.publisher(), link);
    }
    return goesOn;
  }

  synchronized void close() {
    closed = true;
    links.values().forEach(PublisherConnection::close);
    links.clear();
  }
}
