package org.cartostream.slam.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.cartostream.slam.geometry.Pose;

/**
 * Filter of loop edges by mutual consistency. A single edge that bends the path by much may be
 * wrong, and nothing would contradict it; so another edge between nearby places must agree with it
 * (as in Olson, Recognizing places using spectrally clustered local matches, 2009). An edge that
 * agrees with the path as it is needs no other: it does no harm.
 */
final class LoopConsensus {

  /** Metres along the path, at both ends, within which two loops are nearby. */
  private static final double NEARBY = 8;

  /** Difference below which two loops are the same, metres. */
  private static final double SAME_METRES = 0.5;

  private static final double SAME_RADIANS = 0.1;

  private LoopConsensus() {}

  /** Returns the edges that are believed, given the nodes' present poses. */
  static List<Edge> of(List<Edge> loops, LocalSubmaps localSubmaps) {
    NavigableMap<Double, List<Edge>> byPlace = new TreeMap<>();
    for (Edge edge : loops) {
      double place = localSubmaps.way()[edge.to()];
      byPlace.computeIfAbsent(place, any -> new ArrayList<>()).add(edge);
    }
    return loops.stream().filter(edge -> isBelieved(edge, byPlace, localSubmaps)).toList();
  }

  /**
   * @param byPlace all edges, by the distance along the path to their end node
   */
  private static boolean isBelieved(
      Edge edge, NavigableMap<Double, List<Edge>> byPlace, LocalSubmaps localSubmaps) {
    double place = localSubmaps.way()[edge.to()];
    Collection<List<Edge>> nearby =
        byPlace.subMap(place - NEARBY, true, place + NEARBY, true).values();
    Pose asItIs = localSubmaps.poses()[edge.from()].to(localSubmaps.poses()[edge.to()]);
    return isSame(edge.motion(), asItIs)
        || nearby.stream()
            .flatMap(List::stream)
            .anyMatch(other -> isWitness(other, edge, localSubmaps));
  }

  private static boolean isWitness(Edge other, Edge edge, LocalSubmaps localSubmaps) {
    return other != edge
        && isNearby(other.from(), edge.from(), localSubmaps)
        && isNearby(other.to(), edge.to(), localSubmaps)
        && isSame(edge.motion(), seenFrom(edge, other, localSubmaps));
  }

  private static boolean isNearby(int node, int other, LocalSubmaps localSubmaps) {
    return Math.abs(localSubmaps.way()[node] - localSubmaps.way()[other]) < NEARBY;
  }

  /** Returns the motion from an edge's start to its end, by way of another edge. */
  private static Pose seenFrom(Edge edge, Edge other, LocalSubmaps localSubmaps) {
    Pose[] poses = localSubmaps.poses();
    Pose toItsStart = poses[edge.from()].to(poses[other.from()]);
    Pose fromItsEnd = poses[other.to()].to(poses[edge.to()]);
    return toItsStart.then(other.motion()).then(fromItsEnd);
  }

  private static boolean isSame(Pose one, Pose other) {
    return one.distance(other) < SAME_METRES
        && Math.abs(Pose.wrap(one.theta() - other.theta())) < SAME_RADIANS;
  }
}
