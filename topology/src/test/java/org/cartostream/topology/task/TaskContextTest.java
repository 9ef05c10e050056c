package org.cartostream.topology.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.task.TopologyContext;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class TaskContextTest {

  private static final Map<String, Object> CONF =
      Map.of(
          Config.STORM_ZOOKEEPER_SERVERS,
          List.of("10.0.0.1", "10.0.0.2"),
          Config.STORM_ZOOKEEPER_PORT,
          2181,
          TaskContext.HOST,
          "robotland");

  private static final String MATCHERS = Component.nameOf(Component.Matchers.class);

  @Test
  void knowsATaskByItsIndexAmongThree() {
    assertThat(TaskContext.exclusive(task(5, new HashMap<>()), Runnable::run))
        .usingRecursiveComparison()
        .ignoringFields("nanoTime", "offload")
        .isEqualTo(
            new TaskContext(
                1,
                3,
                "storm",
                ZooKeeperAccess.plain("10.0.0.1:2181,10.0.0.2:2181"),
                "robotland",
                System::nanoTime,
                Runnable::run));
  }

  @Test
  void refusesTwoTasksInOneThread() {
    Map<String, Object> executor = new HashMap<>();
    TaskContext.exclusive(task(4, executor), Runnable::run);
    assertThatThrownBy(() -> TaskContext.exclusive(task(5, executor), Runnable::run))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("fewer executors than tasks: tasks 4 and 5");
  }

  /** Task 4, 5 or 6 of the matchers, in an executor with the given data. */
  private static TopologyContext task(int id, Map<String, Object> executor) {
    return new TopologyContext(
        null,
        CONF,
        Map.of(4, MATCHERS, 5, MATCHERS, 6, MATCHERS),
        Map.of(MATCHERS, List.of(4, 5, 6)),
        Map.of(),
        Map.of(),
        "storm",
        "code",
        "pids",
        id,
        6700,
        List.of(4, 5, 6),
        Map.of(),
        Map.of(),
        executor,
        Map.of(),
        null,
        null);
  }
}
