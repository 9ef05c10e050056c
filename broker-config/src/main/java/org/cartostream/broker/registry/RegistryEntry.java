package org.cartostream.broker.registry;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.Version;

/**
 * Entry of the registry: a robot, a service, or the owner of a topology.
 *
 * @param id id of the robot ({@link RobotId}), or name of the service or topology
 * @param type kind of the robot's gateway: {@link #LOG}, {@link #ROS_1}, {@link #ROS_2}; or {@link
 *     #SERVICE}
 * @param address host and process of the gateway or service: {@code host, process 123}
 * @param version version of Cartostream in that process
 * @param durableAt for a service with runs, the time up to which all that came for each run is in
 *     checkpoints, milliseconds since 1970-01-01 UTC by the service's clock; else 0
 * @param epoch for an entry that took another's place by force, ZooKeeper's number of the
 *     transaction that had made the replaced entry; processes whose entries were made by that
 *     transaction or an earlier one are fenced, which means that they must end. Else 0
 */
public record RegistryEntry(
    String id,
    String type,
    String address,
    String version,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long durableAt,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long epoch) {

  public static final String LOG = "log";
  public static final String ROS_1 = "ros1";
  public static final String ROS_2 = "ros2";
  public static final String SERVICE = "service";

  /** Returns the entry of this process. */
  public static RegistryEntry ofThisProcess(String id, String type) {
    String address = host() + ", process " + ProcessHandle.current().pid();
    return new RegistryEntry(id, type, address, Version.current(), 0, 0);
  }

  /** Returns a copy with another {@link #durableAt}. */
  public RegistryEntry durableAt(long millis) {
    return new RegistryEntry(id, type, address, version, millis, epoch);
  }

  /** Returns a copy that replaces an entry made by this transaction of ZooKeeper. */
  RegistryEntry inEpochAfter(long transaction) {
    return new RegistryEntry(id, type, address, version, durableAt, transaction);
  }

  /** Returns this computer's name; the loopback address's if the computer does not know its own. */
  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return InetAddress.getLoopbackAddress().getHostName();
    }
  }
}
