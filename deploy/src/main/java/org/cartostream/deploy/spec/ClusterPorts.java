package org.cartostream.deploy.spec;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.deploy.host.ClusterException;

/**
 * TCP ports of a cluster, the same on each of its hosts.
 *
 * @param brokerTools port at which RabbitMQ's own tools reach the broker, on 127.0.0.1
 * @param brokerNames port of Erlang's port mapper, on 127.0.0.1
 * @param brokerMetrics port at which Prometheus may ask the broker
 * @param supervisor port of the supervisor's Thrift
 * @param slots ports of the workers of a host, one for each
 */
public record ClusterPorts(
    int zookeeper,
    int broker,
    int brokerTools,
    int brokerNames,
    int brokerMetrics,
    int nimbus,
    int supervisor,
    List<Integer> slots) {

  private static final int BEFORE_SLOTS = 7;

  /** Returns the usual ports, for hosts that have nothing else to do. */
  static ClusterPorts wellKnown(boolean secure, int slots) {
    return new ClusterPorts(
        secure ? 2281 : 2181,
        secure ? 5671 : 5672,
        25672,
        4369,
        15692,
        6627,
        6628,
        IntStream.range(6700, 6700 + slots).boxed().toList());
  }

  /** Returns ports that are free on this machine now. */
  public static ClusterPorts free(int slots) {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < BEFORE_SLOTS + slots; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})));
      }
      List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
      return new ClusterPorts(
          ports.get(0),
          ports.get(1),
          ports.get(2),
          ports.get(3),
          ports.get(4),
          ports.get(5),
          ports.get(6),
          ports.subList(BEFORE_SLOTS, ports.size()));
    } catch (IOException e) {
      throw new ClusterException("there are no free ports: " + e.getMessage(), e);
    } finally {
      sockets.forEach(ClusterPorts::close);
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new ClusterException("port " + socket.getLocalPort() + " stays taken", e);
    }
  }
}
