package org.cartostream.broker.registry;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.Version;

/**
 * An entry of the registry: a robot, a service, or the owner of a topology.
 *
 * @param id the robot's ({@link RobotId}), or the name of the service or topology
 * @param type the kind of the robot's gateway: {@link #LOG}, {@link #ROS_1}, {@link #ROS_2}; or
 *     {@link #SERVICE}
 * @param address where its gateway or the service runs: {@code host, process 123}
 * @param version of Cartostream there
 * @param durableAt of a service with runs: the time up to which what came of each of them is in
 *     checkpoints, milliseconds since 1970-01-01 UTC by its clock; else 0
 * @param epoch of one that took another's place by force: ZooKeeper's number of the transaction
 *     that had made the one it replaced; who was made by that or an earlier one is fenced. Else 0
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

  /** Returns a copy with another time up to which what came is durable. */
  public RegistryEntry durableAt(long millis) {
    return new RegistryEntry(id, type, address, version, millis, epoch);
  }

  /** Returns the entry in the place of one that was made by this transaction of ZooKeeper. */
  RegistryEntry inEpochAfter(long transaction) {
    return new RegistryEntry(id, type, address, version, durableAt, transaction);
  }

  /** A computer that does not know its own name is known to nobody by it. */
  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return InetAddress.getLoopbackAddress().getHostName();
    }
  }
}
