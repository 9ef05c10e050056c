package org.cartostream.ros.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.cartostream.ros.RosException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class GraphNamesTest {

  /** The table at wiki.ros.org/Names. */
  @Test
  void resolvesAsRosDoes() {
    GraphNames node1 = new GraphNames("/", "node1", Map.of());
    assertThat(node1.resolve("bar")).isEqualTo("/bar");
    assertThat(node1.resolve("/bar")).isEqualTo("/bar");
    assertThat(node1.resolve("~bar")).isEqualTo("/node1/bar");
    GraphNames node2 = new GraphNames("/wg", "node2", Map.of());
    assertThat(node2.resolve("bar")).isEqualTo("/wg/bar");
    assertThat(node2.resolve("foo/bar")).isEqualTo("/wg/foo/bar");
    assertThat(node2.resolve("/foo/bar")).isEqualTo("/foo/bar");
    assertThat(node2.resolve("~foo/bar")).isEqualTo("/wg/node2/foo/bar");
    assertThat(node2.node()).isEqualTo("/wg/node2");
  }

  @Test
  void remapsAfterResolving() {
    GraphNames names =
        new GraphNames("robot1", "slam", Map.of("scan", "base_scan", "/tf", "/robot1/tf"));
    assertThat(names.resolve("scan")).isEqualTo("/robot1/base_scan");
    assertThat(names.resolve("/robot1/scan")).isEqualTo("/robot1/base_scan");
    assertThat(names.resolve("/tf")).isEqualTo("/robot1/tf");
    assertThat(names.resolve("odom")).isEqualTo("/robot1/odom");
  }

  @Test
  void refusesWhatIsNoName() {
    GraphNames names = new GraphNames("/", "node", Map.of());
    for (String wrong : List.of("1scan", "a b", "a//b", "sc-an", "a/~b")) {
      assertThatThrownBy(() -> names.resolve(wrong))
          .isInstanceOf(RosException.class)
          .hasMessageContaining("'" + wrong + "'");
    }
    assertThatThrownBy(() -> new GraphNames("/", "my-node", Map.of()))
        .isInstanceOf(RosException.class)
        .hasMessageContaining("my-node");
  }
}
