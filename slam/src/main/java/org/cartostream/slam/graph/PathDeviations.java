package org.cartostream.slam.graph;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.cartostream.slam.geometry.Pose;

/**
 * Standard deviations of earlier nodes' positions relative to a place, metres. They are upper
 * bounds: of all routes along the path and over loop edges only the least uncertain one counts (the
 * Dijkstra projection of Olson, Robust and efficient robotic mapping, 2008, section 5.4; in one
 * sweep back and one ahead).
 */
final class PathDeviations {

  private final Pose[] poses;
  private final List<Edge> chain;

  /** Loop edges, by their end node, the latest first. */
  private final List<Edge> loops;

  /**
   * @param loops loop edges that the poses fit
   */
  PathDeviations(Pose[] poses, List<Edge> loops) {
    this.poses = poses;
    this.chain = LoopCloser.chain(poses);
    this.loops = loops.stream().sorted(Comparator.comparingInt(Edge::to).reversed()).toList();
  }

  /** Returns the deviations of all nodes up to a place; the place's own is 0. */
  double[] seenFrom(int place) {
    double[] variances = new double[place + 1];
    Arrays.fill(variances, 0, place, Double.MAX_VALUE);
    int next = 0;
    for (int node = place; node > 0; node--) {
      for (; next < loops.size() && loops.get(next).to() >= node; next++) {
        Edge loop = loops.get(next);
        if (loop.to() == node) {
          lower(variances, loop.from(), node, loop);
        }
      }
      lower(variances, node - 1, node, chain.get(node - 1));
    }
    for (int node = 0; node < place; node++) {
      lower(variances, node + 1, node, chain.get(node));
    }
    return Arrays.stream(variances).map(Math::sqrt).toArray();
  }

  /**
   * Lowers a node's variance to another node's plus that of the edge between them, if that is less.
   */
  private void lower(double[] variances, int node, int other, Edge by) {
    double lever = poses[by.from()].distance(poses[variances.length - 1]);
    double metres = 1 / Math.min(by.information().xx(), by.information().yy());
    double variance = variances[other] + metres + lever * lever / by.information().tt();
    variances[node] = Math.min(variances[node], variance);
  }
}
