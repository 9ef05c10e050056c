package org.cartostream.cli.options;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.cartostream.gateway.ros.LaunchParameters;
import org.cartostream.ros.RosException;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.node.RosNodeListener;
import org.cartostream.ros.ros2.Ros2Environment;
import org.cartostream.ros.ros2.Ros2Node;
import org.cartostream.ros.rtps.participant.DomainAccess;
import org.cartostream.run.exit.ExitException;
import org.cartostream.settings.ConfigurationFile;
import picocli.CommandLine.Option;

/** Options by which a node joins a graph of ROS 2, and its parameters as ROS 2 gives them. */
public final class Ros2Options {

  private static final String PARAMETERS = ".ros__parameters.";

  @Option(
      names = "--ros2",
      description =
          "The robot speaks ROS 2: join its graph. ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE and"
              + " ROS_STATIC_PEERS mean what they mean to ROS 2.")
  private boolean ros2;

  @Option(
      names = "--interface",
      paramLabel = "ADDRESS",
      description =
          "With --ros2: the address of this computer's interface to the robot, if it has several;"
              + " default: all.")
  private String ownAddress;

  @Option(
      names = "--params-file",
      paramLabel = "FILE",
      description =
          "Parameters in ROS 2's YAML, as of slam_toolbox: those of the sections /**, slam_toolbox"
              + " and the node's own name.")
  private List<Path> parameterFiles = List.of();

  @Option(
      names = {"-p", "--param"},
      paramLabel = "NAME:=VALUE",
      description = "A parameter, as 'ros2 run' takes it; as _NAME:=VALUE. Wins over a file's.")
  private List<String> parameters = List.of();

  @Option(
      names = {"-r", "--remap"},
      paramLabel = "FROM:=TO",
      description = "A remapping, as 'ros2 run' takes it; as FROM:=TO.")
  private List<String> remappings = List.of();

  /** Returns true if the command shall join a graph of ROS 2. */
  public boolean isAsked() {
    return ros2;
  }

  /**
   * Returns the parameters from files and options in the form of ROS 2's command-line arguments.
   *
   * @param node name of the node, whose section of the parameter files is read
   * @param given arguments given by the caller, which take precedence
   */
  public List<String> arguments(String node, List<String> given) {
    List<String> all = new ArrayList<>(remappings);
    parameters.forEach(each -> all.add("_" + each));
    Map<String, String> values = new LinkedHashMap<>();
    for (Path file : parameterFiles) {
      values.putAll(read(file, node));
    }
    for (String each : given) {
      addTo(values, each);
    }
    all.forEach(each -> addTo(values, each));
    values.forEach((name, value) -> all.add("_" + name + ":=" + value));
    LaunchParameters.remappings(values).forEach((from, to) -> all.add(0, from + ":=" + to));
    return all;
  }

  private static void addTo(Map<String, String> values, String argument) {
    int sign = argument.indexOf(":=");
    if (sign > 1 && argument.startsWith("_") && !argument.startsWith("__")) {
      values.put(argument.substring(1, sign), argument.substring(sign + 2));
    }
  }

  private static Map<String, String> read(Path file, String node) {
    Map<String, String> values = new LinkedHashMap<>();
    try {
      ConfigurationFile.readParameters(file)
          .forEach(
              (key, value) -> {
                int at = key.indexOf(PARAMETERS);
                String section = at < 0 ? "" : key.substring(0, at);
                String name = section.substring(section.lastIndexOf('/') + 1);
                if (List.of("**", "slam_toolbox", node).contains(name)) {
                  values.put(key.substring(at + PARAMETERS.length()), value);
                }
              });
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--params-file: " + e.getMessage(), e);
    }
    if (values.isEmpty()) {
      throw ExitException.wrongUsage(
          "--params-file: '%s' has no parameters of /**, slam_toolbox or %s, below ros__parameters"
              .formatted(file, node));
    }
    return values;
  }

  /**
   * Returns a function that starts a node with a given listener.
   *
   * @throws ExitException if an environment variable of ROS 2 has an invalid value
   */
  public Function<RosNodeListener, RosNode> node(GraphNames names) {
    try {
      DomainAccess access =
          Ros2Environment.access(System.getenv(), ownAddress == null ? "" : ownAddress);
      return listener -> Ros2Node.start(access, names, listener);
    } catch (RosException e) {
      throw ExitException.wrongUsage(e.getMessage(), e);
    }
  }
}
