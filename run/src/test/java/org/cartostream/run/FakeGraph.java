package org.cartostream.run;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.cartostream.ros.node.RosNode;
import org.cartostream.run.exit.ShutdownRequest;

/**
 * A graph of ROS as a run asks it before it has its robot.
 *
 * @param isPublished whether somebody publishes a scan
 * @param types under which {@code scan} is published
 */
record FakeGraph(BooleanSupplier isPublished, Set<String> types) {

  /** A run of the robot {@code r1} of this graph, which begins its service itself. */
  RobotRun run(Path folder, boolean resumes, ShutdownRequest stop) {
    return new RobotRun(
        "r1",
        new RobotRun.RosGraph(
            "ros2",
            listener -> {
              listener.onMasterBack();
              return node();
            },
            Map.of()),
        List.of(),
        true,
        new RobotRun.Folder(folder, resumes, false),
        new RobotRun.Start(Optional.empty(), Optional.empty(), false),
        stop);
  }

  private RosNode node() {
    InvocationHandler answers =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "isPublished" -> isPublished.getAsBoolean();
              case "publishedTypes" -> types;
              case "resolve" -> "/" + arguments[0];
              case "parameter" -> Optional.empty();
              case "close" -> null;
              default -> throw new AssertionError(method);
            };
    return (RosNode)
        Proxy.newProxyInstance(
            RosNode.class.getClassLoader(), new Class<?>[] {RosNode.class}, answers);
  }
}
