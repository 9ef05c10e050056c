package org.cartostream.ros.node;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.ros.HostAndPort;
import org.cartostream.ros.RosException;

/**
 * A node's arguments on its command line and in its environment, as {@code roslaunch} gives them
 * (wiki.ros.org/Remapping%20Arguments): {@code scan:=base_scan}, {@code _maxUrange:=8}, {@code
 * __name:=slam}, {@code __ns:=/robot1}, {@code __ip:=10.0.0.5}.
 *
 * @param names resolution of the node's names
 * @param parameters private parameters by name, without the underscore
 * @param master the master's address
 * @param environment {@code ROS_IP} and the like, overridden by the command line
 */
public record RosArguments(
    GraphNames names, Map<String, String> parameters, URI master, Map<String, String> environment) {

  private static final String SIGN = ":=";

  /** Address of the master if none is given. */
  private static final String DEFAULT_MASTER = "http://localhost:11311";

  /**
   * Reads the arguments; the command line overrides the environment.
   *
   * @param node the node's name unless {@code __name} gives another
   * @throws RosException if an argument is not of this form, or has an invalid name or address
   */
  public static RosArguments read(
      List<String> arguments, Map<String, String> environment, String node) {
    Map<String, String> special = new HashMap<>();
    Map<String, String> parameters = new HashMap<>();
    Map<String, String> remappings = new HashMap<>();
    for (String argument : arguments) {
      int sign = argument.indexOf(SIGN);
      if (sign < 1) {
        throw new RosException("'" + argument + "' is no ROS argument, as scan:=base_scan is one");
      }
      String key = argument.substring(0, sign);
      String value = argument.substring(sign + SIGN.length());
      if (key.startsWith("__")) {
        special.put(key.substring(2), value);
      } else if (key.startsWith("_")) {
        parameters.put(key.substring(1), value);
      } else {
        remappings.put(key, value);
      }
    }
    String namespace = special.getOrDefault("ns", environment.getOrDefault("ROS_NAMESPACE", "/"));
    return new RosArguments(
        new GraphNames(namespace, special.getOrDefault("name", node), remappings),
        parameters,
        master(special, environment),
        withSpecial(environment, special));
  }

  private static URI master(Map<String, String> special, Map<String, String> environment) {
    String master =
        special.getOrDefault("master", environment.getOrDefault("ROS_MASTER_URI", DEFAULT_MASTER));
    try {
      URI address = URI.create(master);
      if ("http".equals(address.getScheme()) && HostAndPort.of(address).isPresent()) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      throw new RosException(noMaster(master), e);
    }
    throw new RosException(noMaster(master));
  }

  private static String noMaster(String text) {
    return "'%s' is no master's address, as %s is one; a port is 1 to 65535"
        .formatted(text, DEFAULT_MASTER);
  }

  private static Map<String, String> withSpecial(
      Map<String, String> environment, Map<String, String> special) {
    Map<String, String> all = new HashMap<>(environment);
    if (special.containsKey("ip")) {
      all.remove("ROS_HOSTNAME");
      all.put("ROS_IP", special.get("ip"));
    }
    if (special.containsKey("hostname")) {
      all.put("ROS_HOSTNAME", special.get("hostname"));
    }
    return all;
  }
}
