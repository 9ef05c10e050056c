package org.cartostream.ros.tcpros;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.Map;
import org.cartostream.ros.HostAndPort;
import org.cartostream.ros.RosException;

/**
 * The address at which other nodes find this one (wiki.ros.org/ROS/NetworkSetup): by {@code
 * ROS_HOSTNAME}, else {@code ROS_IP}, else by the address of the interface that is on the route to
 * the master. A variable that is empty is as good as none.
 *
 * @param advertised host name or address that other nodes get
 * @param bind address to listen on; null for all, if the advertised address is not this computer's
 *     own
 */
record NodeAddress(String advertised, InetAddress bind) {

  static NodeAddress of(URI master, Map<String, String> environment) {
    String hostname = environment.getOrDefault("ROS_HOSTNAME", "");
    String advertised = hostname.isEmpty() ? environment.getOrDefault("ROS_IP", "") : hostname;
    try {
      InetAddress address =
          advertised.isEmpty() ? onTheWayTo(master) : InetAddress.getByName(advertised);
      String shown = advertised.isEmpty() ? address.getHostAddress() : advertised;
      return new NodeAddress(shown, isOwn(address) ? address : null);
    } catch (IOException e) {
      throw new RosException(
          "this computer's address cannot be found: " + e.getMessage() + "; set ROS_IP to it", e);
    }
  }

  /**
   * Returns the address of the interface to the master; nothing is sent: the socket only asks the
   * system for its route.
   */
  private static InetAddress onTheWayTo(URI master) throws IOException {
    HostAndPort way = HostAndPort.of(master).orElse(new HostAndPort("", -1));
    InetSocketAddress there = new InetSocketAddress(way.host(), Math.max(1, way.port()));
    if (there.isUnresolved()) {
      throw new RosException(
          "the host '"
              + way.host()
              + "' of the ROS master at "
              + master
              + " is not known; it should be a name that this computer can look up, or a number");
    }
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(there);
      return socket.getLocalAddress();
    } catch (java.io.UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean isOwn(InetAddress address) {
    try (ServerSocket trial = new ServerSocket(0, 1, address)) {
      return trial.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the URI by which other nodes reach a port of this node. */
  URI uri(int port) {
    return URI.create("http://" + advertised + ":" + port + "/");
  }
}
