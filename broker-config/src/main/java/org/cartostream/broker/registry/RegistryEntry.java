package org.cartostream.broker.registry;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.Version;

/**
 * An entry of the registry: a robot or a service.
 *
 * @param id the robot's ({@link RobotId}), or the service's name
 * @param type the kind of the robot's gateway: {@link #LOG}, {@link #ROS_1}, {@link #ROS_2}; or
 *     {@link #SERVICE}
 * @param address where its gateway or the service runs: {@code host, process 123}
 * @param version of Cartostream there
 */
public record RegistryEntry(String id, String type, String address, String version) {

  public static final String LOG = "log";
  public static final String ROS_1 = "ros1";
  public static final String ROS_2 = "ros2";
  public static final String SERVICE = "service";

  /** That of this process. */
  public static RegistryEntry ofThisProcess(String id, String type) {
    String address = host() + ", process " + ProcessHandle.current().pid();
    return new RegistryEntry(id, type, address, Version.current());
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
