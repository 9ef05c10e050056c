package org.cartostream.slam.graph;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;

/**
 * The solution of a {@link GrowingPoseGraph}: the poses of its nodes with loops closed, and the
 * loop edges found so far. It carries the filter's local poses to the {@code map} frame. Immutable.
 *
 * @param number how often the graph was solved so far, for a loop that did not fit or because the
 *     filter has come to see its path otherwise: 0 if no loop was closed yet
 * @param local the nodes as the filter had them when it was solved last; nodes that are newer have
 *     no pose here
 * @param global the same nodes with their loops closed
 * @param found all loop edges so far, believed or not
 * @param used those by which it was solved last
 * @param nextPlace the next place that is to be looked at
 * @param work what it may cost to solve the whole graph
 * @param uncertainty how sure the newest node was when it was solved last, seen from the first: its
 *     covariance, carried to the {@code map} frame's origin; zero before
 */
public record GraphSolution(
    int number,
    Pose[] local,
    Pose[] global,
    Edge[] found,
    Edge[] used,
    NextPlace nextPlace,
    SolverBudget work,
    SymmetricMatrix3 uncertainty) {

  // By so much the path between two nodes may change before the graph is solved anew: of what a
  // chain's edge is taken to err by, about as much.
  private static final double SAME_METRES = 0.02;

  private static final double SAME_RADIANS = 0.01;

  /**
   * Numbers of nodes between two poses that are compared: small changes add up like a random walk.
   */
  private static final int[] SPANS = {1, 16, 256};

  /**
   * Place at which the search for earlier visits goes on.
   *
   * @param node nodes before this one need no search any more
   * @param last distance along the path of the place searched last, as in {@link LocalSubmaps}
   * @param apart least distance along the path from there to the next place
   */
  record NextPlace(int node, double last, double apart) {}

  /**
   * Budget for solving the whole graph, in blocks that are multiplied ({@link
   * SparseBlockSystem#products}). Who drives about in one building for hours gets a graph of which
   * each part has to do with each other, and the cost for all of it grows faster than its nodes.
   * Each node earns a share; when what was earned does not suffice, only the nodes since the last
   * loop are solved, and the others held.
   *
   * @param earned and not spent yet
   * @param expected that the whole graph takes, by the last time
   */
  record SolverBudget(long earned, long expected) {

    /** Some milliseconds, each 0.5 m. */
    private static final long EARNED_A_NODE = 20_000;

    /** For the uncertainty of one solution: some ten milliseconds. */
    static final long OF_AN_UNCERTAINTY = 10 * EARNED_A_NODE;

    /** A second or two: readings may have to wait for it. */
    static final long MAX_EARNED = 4_000_000;

    SolverBudget earn(int nodes) {
      return new SolverBudget(Math.min(MAX_EARNED, earned + EARNED_A_NODE * nodes), expected);
    }

    boolean suffices() {
      return earned >= expected;
    }

    /**
     * Accounts for an attempt to solve the whole graph.
     *
     * @param left earned work that is left, in multiplied blocks; negative if it did not suffice
     */
    SolverBudget spent(long left) {
      if (left >= 0) {
        return new SolverBudget(left, earned - left);
      }
      boolean isHopeless = earned == MAX_EARNED; // The graph only grows.
      return new SolverBudget(0, isHopeless ? Long.MAX_VALUE : Math.min(MAX_EARNED, 2 * earned));
    }
  }

  /** No loop was found yet. */
  static final GraphSolution NONE =
      new GraphSolution(
          0,
          new Pose[0],
          new Pose[0],
          new Edge[0],
          new Edge[0],
          new NextPlace(0, -OnlineLoopClosure.MIN_APART_METRES, OnlineLoopClosure.MIN_APART_METRES),
          new SolverBudget(0, 0),
          SymmetricMatrix3.ZERO);

  /** A state of an older release has no uncertainty. */
  public GraphSolution {
    uncertainty = uncertainty == null ? SymmetricMatrix3.ZERO : uncertainty;
  }

  /**
   * A pose with loops closed.
   *
   * @param node the last node at or before it
   * @param pose as the filter has it
   */
  public Pose toMapFrame(int node, Pose pose) {
    return number == 0 ? pose : transform(node).then(pose);
  }

  /**
   * Returns the transform from the filter's frame to the {@code map} frame at a node; where the
   * node is newer than the solution, at the last.
   */
  public Pose transform(int node) {
    if (number == 0) {
      return Pose.ORIGIN;
    }
    int known = Math.min(node, global.length - 1);
    return global[known].then(local[known].inverse());
  }

  /** Returns the same nodes where they are, with what was found since. */
  GraphSolution with(Edge[] allFound, NextPlace next) {
    return new GraphSolution(number, local, global, allFound, used, next, work, uncertainty);
  }

  /**
   * A copy with newly solved poses.
   *
   * @param poses local poses of all nodes so far
   * @param closed the same nodes in the {@code map} frame
   * @param by the loop edges that the solution uses
   */
  GraphSolution solved(Pose[] poses, Pose[] closed, Edge[] by) {
    return new GraphSolution(number + 1, poses, closed, found, by, nextPlace, work, uncertainty);
  }

  /** Returns a copy with other work. */
  GraphSolution with(SolverBudget other) {
    return new GraphSolution(number, local, global, found, used, nextPlace, other, uncertainty);
  }

  /** Returns a copy with another uncertainty. */
  GraphSolution with(SymmetricMatrix3 other) {
    return new GraphSolution(number, local, global, found, used, nextPlace, work, other);
  }

  /** True if the filter has some of the path elsewhere than when the graph was solved. */
  boolean isOutdated(Pose[] now) {
    return outdatedFrom(now) < local.length;
  }

  /**
   * Returns how many of the first nodes can be held: up to the last loop, as far as the filter has
   * the path where it had it, and nobody who is believed now would move them.
   *
   * @param mover the first node that an edge would move that is believed, and does not fit
   */
  int settled(Pose[] now, int mover) {
    int looped = Arrays.stream(used).mapToInt(Edge::to).max().orElse(0);
    return Math.max(1, Math.min(mover, Math.min(looped, outdatedFrom(now)) + 1));
  }

  /** The first node from which on the path lies elsewhere; the number of nodes if none does. */
  private int outdatedFrom(Pose[] now) {
    return IntStream.of(SPANS).map(span -> outdatedFrom(now, span)).min().orElseThrow();
  }

  private int outdatedFrom(Pose[] now, int span) {
    double more = Math.sqrt(span);
    for (int i = 0; i + span < local.length; i++) {
      Pose before = local[i].to(local[i + span]);
      Pose after = now[i].to(now[i + span]);
      if (before.distance(after) > SAME_METRES * more
          || Math.abs(Pose.wrap(before.theta() - after.theta())) > SAME_RADIANS * more) {
        return i;
      }
    }
    return local.length;
  }

  /** All of the nodes as they lie in the map, the newer ones as they follow from the last. */
  Pose[] moved(Pose[] now) {
    return continued(global, now);
  }

  /** All of the nodes as the filter had them, the newer ones as they follow from the last. */
  Pose[] local(Pose[] now) {
    return continued(local, now);
  }

  private static Pose[] continued(Pose[] known, Pose[] now) {
    Pose[] all = Arrays.copyOf(known, now.length);
    for (int i = known.length; i < now.length; i++) {
      all[i] = i == 0 ? now[i] : all[i - 1].then(now[i - 1].to(now[i]));
    }
    return all;
  }

  /**
   * Returns the same with all nodes so far, the newer ones as they follow from the last.
   *
   * @param now where the filter has them
   */
  GraphSolution upTo(Pose[] now) {
    return new GraphSolution(number, now, moved(now), found, used, nextPlace, work, uncertainty);
  }
}
