package org.cartostream.ros.ros2;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.cartostream.ros.RosException;
import org.cartostream.ros.rtps.participant.DomainAccess;

/**
 * Settings of discovery from ROS 2's environment variables (docs.ros.org, Improved Dynamic
 * Discovery): {@code ROS_DOMAIN_ID}, {@code ROS_AUTOMATIC_DISCOVERY_RANGE} and {@code
 * ROS_STATIC_PEERS}.
 */
public final class Ros2Environment {

  /** Range within which participants are discovered without a peer address. */
  private enum Range {
    SUBNET,
    LOCALHOST,
    OFF,
    SYSTEM_DEFAULT
  }

  private Ros2Environment() {}

  /**
   * Reads the domain, network interfaces and peers by which a node joins a ROS 2 network.
   *
   * @param ownAddress address of the only interface to use; empty for all but loopback
   * @throws RosException if a value makes no sense
   */
  public static DomainAccess access(Map<String, String> environment, String ownAddress) {
    int domain = domain(environment.getOrDefault("ROS_DOMAIN_ID", "0"));
    Range range = range(environment);
    List<InetAddress> peers = new ArrayList<>();
    if (range != Range.OFF) {
      Arrays.stream(environment.getOrDefault("ROS_STATIC_PEERS", "").split("[;\\s]+"))
          .filter(each -> !each.isEmpty())
          .forEach(each -> peers.add(address(each, "ROS_STATIC_PEERS")));
    }
    boolean local = range == Range.LOCALHOST || range == Range.OFF;
    String only = local && ownAddress.isEmpty() && peers.isEmpty() ? "127.0.0.1" : ownAddress;
    List<InetAddress> interfaces =
        only.isEmpty() ? all() : List.of(address(only, "the interface's address"));
    if (range != Range.OFF) {
      peers.addAll(interfaces); // Others on this computer, also where there is no multicast.
    }
    return new DomainAccess(
        domain, interfaces, !only.isEmpty(), !local, peers.stream().distinct().toList());
  }

  private static int domain(String text) {
    try {
      return Integer.parseInt(text.trim());
    } catch (NumberFormatException e) {
      throw new RosException(
          "ROS_DOMAIN_ID is '" + text + "'; a domain is a number from 0 to 232", e);
    }
  }

  private static Range range(Map<String, String> environment) {
    String text = environment.getOrDefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET");
    try {
      return Range.valueOf(text.trim().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new RosException(
          "ROS_AUTOMATIC_DISCOVERY_RANGE is '" + text + "'; one of SUBNET, LOCALHOST, OFF is right",
          e);
    }
  }

  private static InetAddress address(String text, String what) {
    try {
      for (InetAddress each : InetAddress.getAllByName(text)) {
        if (each instanceof Inet4Address) {
          return each;
        }
      }
      throw new RosException(what + ": '" + text + "' has no address of IPv4");
    } catch (UnknownHostException e) {
      throw new RosException(what + ": '" + text + "' is no address that is known", e);
    }
  }

  /** Returns the addresses of all interfaces that are up; loopback only if there is no other. */
  private static List<InetAddress> all() {
    try {
      List<InetAddress> all =
          NetworkInterface.networkInterfaces()
              .filter(Ros2Environment::isUp)
              .flatMap(NetworkInterface::inetAddresses)
              .filter(Inet4Address.class::isInstance)
              .toList();
      List<InetAddress> outer = all.stream().filter(each -> !each.isLoopbackAddress()).toList();
      return outer.isEmpty() ? all : outer;
    } catch (SocketException e) {
      throw new RosException("this computer's interfaces cannot be listed: " + e.getMessage(), e);
    }
  }

  private static boolean isUp(NetworkInterface each) {
    try {
      return each.isUp();
    } catch (SocketException e) {
      return false;
    }
  }
}
