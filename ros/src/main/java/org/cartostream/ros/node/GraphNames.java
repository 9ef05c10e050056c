package org.cartostream.ros.node;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.cartostream.ros.RosException;

/**
 * Resolution of a node's names to global ones (wiki.ros.org/Names): {@code /global}, {@code
 * relative} to the namespace, {@code ~private} to the node; then remapped.
 */
public final class GraphNames {

  private static final Pattern NAME = Pattern.compile("[~/]?([A-Za-z]\\w*(/[A-Za-z]\\w*)*)?/?");
  private static final Pattern BASE = Pattern.compile("[A-Za-z]\\w*");

  private final String namespace;
  private final String node;
  private final Map<String, String> remappings = new HashMap<>();

  /**
   * @param namespace such as {@code /} or {@code /robot1}
   * @param node the node's own name, without a slash
   * @param remappings new names by old names, each as a node would write it
   * @throws RosException if one of the names is invalid
   */
  public GraphNames(String namespace, String node, Map<String, String> remappings) {
    if (!BASE.matcher(node).matches()) {
      throw new RosException(
          "'" + node + "' is no node's name: letters, digits and _ after a letter are");
    }
    this.namespace = clean("/" + check(namespace));
    this.node = clean(this.namespace + "/" + node);
    remappings.forEach((from, to) -> this.remappings.put(global(from), global(to)));
  }

  /** Returns the node's global name. */
  public String node() {
    return node;
  }

  /**
   * Returns the global name that {@code name} stands for in this node.
   *
   * @throws RosException if {@code name} is invalid
   */
  public String resolve(String name) {
    String global = global(name);
    return remappings.getOrDefault(global, global);
  }

  private String global(String name) {
    check(name);
    if (name.startsWith("/")) {
      return clean(name);
    }
    return name.startsWith("~")
        ? clean(node + "/" + name.substring(1))
        : clean(namespace + "/" + name);
  }

  private static String check(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new RosException("'" + name + "' is no name in ROS, as '/robot1/scan' is one");
    }
    return name;
  }

  private static String clean(String name) {
    String single = name.replaceAll("/+", "/");
    boolean trailing = single.length() > 1 && single.endsWith("/");
    return trailing ? single.substring(0, single.length() - 1) : single;
  }
}
