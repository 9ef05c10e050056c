package org.cartostream.slam.graph;

import java.util.List;
import org.cartostream.slam.geometry.Pose;

/**
 * Which loop edges are believed. One that bends the path by much, and stands alone, may be wrong,
 * and nothing would contradict it: so another must say the same, from a place nearby to a place
 * nearby (Olson, Recognizing places using spectrally clustered local matches, 2009, has edges vouch
 * for each other, too). One that leaves the path about as it is can do no harm.
 */
final class Consensus {

  /** So near along the path, at both ends, is nearby. */
  private static final double NEARBY = 8;

  /** What differs by less is the same. */
  private static final double SAME_METRES = 0.5;

  private static final double SAME_RADIANS = 0.1;

  private Consensus() {}

  /** Those of the edges that are believed where the nodes are now. */
  static List<Edge> of(List<Edge> loops, Nodes nodes) {
    return loops.stream().filter(edge -> isBelieved(edge, loops, nodes)).toList();
  }

  private static boolean isBelieved(Edge edge, List<Edge> loops, Nodes nodes) {
    Pose asItIs = nodes.poses()[edge.from()].to(nodes.poses()[edge.to()]);
    return isSame(edge.motion(), asItIs)
        || loops.stream().anyMatch(other -> isWitness(other, edge, nodes));
  }

  private static boolean isWitness(Edge other, Edge edge, Nodes nodes) {
    return other != edge
        && isNearby(other.from(), edge.from(), nodes)
        && isNearby(other.to(), edge.to(), nodes)
        && isSame(edge.motion(), seenFrom(edge, other, nodes));
  }

  private static boolean isNearby(int node, int other, Nodes nodes) {
    return Math.abs(nodes.way()[node] - nodes.way()[other]) < NEARBY;
  }

  /** What another edge says of the motion along an edge. */
  private static Pose seenFrom(Edge edge, Edge other, Nodes nodes) {
    Pose[] poses = nodes.poses();
    Pose toItsStart = poses[edge.from()].to(poses[other.from()]);
    Pose fromItsEnd = poses[other.to()].to(poses[edge.to()]);
    return toItsStart.then(other.motion()).then(fromItsEnd);
  }

  private static boolean isSame(Pose one, Pose other) {
    return one.distance(other) < SAME_METRES
        && Math.abs(Pose.wrap(one.theta() - other.theta())) < SAME_RADIANS;
  }
}
