package org.cartostream.slam.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** A robot goes 50 m ahead, a metre at a time, and some of its nodes seem to be one place. */
@Quick
class LoopConsensusTest {

  private static final SymmetricMatrix3 ANY = new SymmetricMatrix3(1, 0, 0, 1, 0, 1);

  private static LocalSubmaps nodes() {
    Pose[] poses = new Pose[51];
    double[] way = new double[51];
    for (int i = 0; i < poses.length; i++) {
      poses[i] = new Pose(i, 0, 0);
      way[i] = i;
    }
    return new LocalSubmaps(poses, i -> null, way);
  }

  private static Edge edge(int from, int to, double x, double y, double theta) {
    return new Edge(from, to, new Pose(x, y, theta), ANY, true);
  }

  private static List<Edge> believed(Edge... edges) {
    return LoopConsensus.of(List.of(edges), nodes());
  }

  @Test
  void oneAloneThatBendsThePathIsNotBelieved() {
    assertThat(believed(edge(3, 40, 0, 1, 0))).isEmpty();
  }

  @Test
  void oneThatLeavesThePathAsItIsIsBelieved() {
    Edge edge = edge(3, 40, 37.2, 0.1, 0.05);
    assertThat(believed(edge)).containsExactly(edge);
  }

  /** The later one leads from 4 to 44: a metre less from its start, four more to its end. */
  @Test
  void twoThatSayTheSameAreBelieved() {
    Edge edge = edge(3, 40, 0, 1, 0);
    Edge same = edge(4, 44, 3, 1.1, 0.02);
    assertThat(believed(edge, same)).containsExactly(edge, same);
  }

  @Test
  void twoThatSayOtherwiseOrFromElsewhereAreNot() {
    Edge edge = edge(3, 40, 0, 1, 0);
    assertThat(believed(edge, edge(4, 44, 3, 2.3, 0))).isEmpty();
    assertThat(believed(edge, edge(4, 44, 3, 1, 0.2))).isEmpty();
    assertThat(believed(edge, edge(3, 49, 9, 1, 0))).isEmpty();
    assertThat(believed(edge, edge(12, 40, -9, 1, 0))).isEmpty();
  }
}
