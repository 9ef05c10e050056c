package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.TopologyContext;
import org.junit.jupiter.api.Test;

class PlaceTest {

  private static final String MATCHERS = Party.component(Party.Matchers.class);

  @Test
  void knowsATaskByItsIndexAmongThree() {
    assertThat(Place.alone(task(5, new HashMap<>()))).isEqualTo(new Place(1, 3));
  }

  @Test
  void refusesTwoTasksInOneThread() {
    Map<String, Object> executor = new HashMap<>();
    Place.alone(task(4, executor));
    assertThatThrownBy(() -> Place.alone(task(5, executor)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("fewer executors than tasks: tasks 4 and 5");
  }

  /** Task 4, 5 or 6 of the matchers, in an executor with the given data. */
  private static TopologyContext task(int id, Map<String, Object> executor) {
    return new TopologyContext(
        null,
        Map.of(),
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
