package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalTime;
import java.util.List;
import org.cartostream.testing.Quick;
import org.cartostream.web.supervision.LifeSign;
import org.cartostream.web.supervision.SupervisionTree;
import org.junit.jupiter.api.Test;

@Quick
class SupervisionTextTest {

  private static SupervisionTree.Task task(int number, LifeSign sign, double seconds) {
    return new SupervisionTree.Task("Matchers", number, sign, seconds, List.of("tb3", "tb4"), 2);
  }

  @Test
  void whatIsLateOrGoneIsSaidAndTheEventsHaveTheirTime() {
    SupervisionTree tree =
        new SupervisionTree(
            "",
            List.of(
                new SupervisionTree.Service(
                    "service",
                    List.of(
                        new SupervisionTree.Host(
                            "one",
                            List.of(
                                new SupervisionTree.Worker(
                                    41, LifeSign.HERE, 0.2, List.of(task(0, LifeSign.LATE, 3.25))),
                                new SupervisionTree.Worker(
                                    42,
                                    LifeSign.GONE,
                                    12,
                                    List.of(task(1, LifeSign.GONE, 12)))))))),
            List.of(
                new SupervisionTree.Event(
                    SupervisionTree.Kind.GONE, "service", "process 42 on one is gone", 6)));
    assertThat(SupervisionText.of(tree, LocalTime.of(0, 0, 5)))
        .isEqualTo(
            """
            00:00:05
            service
              one
                process 41             here
                  Matchers 0           LATE 3.3 s     tb3 tb4 and 2 more
                process 42             GONE 12.0 s
                  Matchers 1           GONE 12.0 s    tb3 tb4 and 2 more
            23:59:59  gone      process 42 on one is gone
            """);
  }

  @Test
  void nobodyIsHeardOf() {
    SupervisionTree nobody = new SupervisionTree("the broker is away", List.of(), List.of());
    assertThat(SupervisionText.of(nobody, LocalTime.of(1, 2, 3)))
        .isEqualTo("01:02:03  the broker is away\nno process of a service is heard of\n");
  }
}
