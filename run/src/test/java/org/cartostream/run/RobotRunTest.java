package org.cartostream.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.cartostream.ros.node.RosNode;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Quick
@Timeout(60)
class RobotRunTest {

  /** Who gives them waits in vain for what they should do. */
  @Test
  void knowsWhichSettingsMeanNothingWhereTheServiceIsElsewhere() {
    Set<String> given =
        Set.of(
            "slam.particles",
            "slam.readingFilter.keyFrameMetres",
            "topology.mapIntervalSeconds",
            "ros.baseFrame",
            "gateway.creditReadings");
    assertThat(RobotRun.serviceKeys(new TreeSet<>(given)))
        .isEqualTo(List.of("slam.particles", "topology.mapIntervalSeconds"));
  }

  /** Its graph is there, but for strangers alone: no settings are made, and no service starts. */
  @Test
  void waitsForAScanBeforeItStartsAService() throws Exception {
    ShutdownRequest stop = new ShutdownRequest();
    InvocationHandler strangers =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "isPublished" -> {
                stop.request(ShutdownRequest.BY_CTRL_C);
                yield false;
              }
              case "resolve" -> "/" + arguments[0];
              case "close" -> null;
              default -> throw new AssertionError(method);
            };
    RosNode node =
        (RosNode)
            Proxy.newProxyInstance(
                RosNode.class.getClassLoader(), new Class<?>[] {RosNode.class}, strangers);
    RobotRun.RosGraph graph =
        new RobotRun.RosGraph(
            "ros2",
            listener -> {
              listener.onMasterBack();
              return node;
            },
            Map.of());
    List<String> said = new ArrayList<>();
    new RobotRun(
            "r1",
            graph,
            List.of(),
            true,
            new RobotRun.Folder(Path.of("unused"), false, false),
            new RobotRun.Start(Optional.empty(), Optional.empty(), false),
            stop)
        .run(
            any -> {
              throw new AssertionError("settings are made");
            },
            said::add,
            List.of());
    assertThat(said).containsExactly("no robot was there: nobody publishes /scan");
  }
}
