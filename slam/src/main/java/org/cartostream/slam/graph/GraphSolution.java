package org.cartostream.slam.graph;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;

/**
 * The solution of a {@link GrowingPoseGraph}: the poses of its nodes with loops closed, and the
 * loop edges found so far. It carries the filter's local poses to the {@code map} frame. Immutable.
 *
 * @param number how often the graph was solved so far, because a new loop did not fit or the
 *     filter's path has changed; 0 if no loop was closed yet
 * @param local the filter's poses of the nodes when the graph was solved last; newer nodes have
 *     none here
 * @param global the poses of these nodes with loops closed, in the {@code map} frame
 * @param found all loop edges so far, believed or not
 * @param used the loop edges by which the graph was solved last
 * @param nextPlace where the search for loops goes on
 * @param work the budget for solving the whole graph
 * @param uncertainty covariance of the newest node's pose, with the first node held, when the graph
 *     was solved last; carried to the {@code map} frame's origin. Zero before
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

  // Change of the path between two neighbouring nodes beyond which the graph is solved anew; about
  // the error that an edge of the chain is taken to have.
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
   * SparseBlockSystem#products}). A robot that drives about in one building for hours gets a
   * densely coupled graph, and the cost of solving all of it grows faster than the number of nodes.
   * Each node earns a share; when the earned shares do not suffice, only the nodes since the last
   * loop are solved, and the others are held fixed.
   *
   * @param earned blocks that were earned and not spent yet
   * @param expected blocks that the whole graph is expected to take, by the last attempt
   */
  record SolverBudget(long earned, long expected) {

    /** Blocks that a node earns: some milliseconds for each 0.5 m of path. */
    private static final long EARNED_A_NODE = 20_000;

    /** Maximum number of blocks for the uncertainty of one solution: some ten milliseconds. */
    static final long OF_AN_UNCERTAINTY = 10 * EARNED_A_NODE;

    /** Maximum number of blocks earned: a second or two, for which readings may have to wait. */
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

  /** The solution while no loop was found. */
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

  /** Sets a missing uncertainty to zero, as in a state of an older release. */
  public GraphSolution {
    uncertainty = uncertainty == null ? SymmetricMatrix3.ZERO : uncertainty;
  }

  /**
   * Returns a pose of the filter in the {@code map} frame, with loops closed.
   *
   * @param node the last node at or before the pose
   * @param pose the filter's local pose
   */
  public Pose toMapFrame(int node, Pose pose) {
    return number == 0 ? pose : transform(node).then(pose);
  }

  /**
   * Returns the transform from the filter's frame to the {@code map} frame at a node; for a node
   * that is newer than the solution, at the solution's last node.
   */
  public Pose transform(int node) {
    if (number == 0) {
      return Pose.ORIGIN;
    }
    int known = Math.min(node, global.length - 1);
    return global[known].then(local[known].inverse());
  }

  /** Returns a copy with other loop edges and another next place, and the nodes as they are. */
  GraphSolution with(Edge[] allFound, NextPlace next) {
    return new GraphSolution(number, local, global, allFound, used, next, work, uncertainty);
  }

  /**
   * A copy with newly solved poses.
   *
   * @param poses local poses of all nodes so far
   * @param closed the poses of these nodes in the {@code map} frame
   * @param by the loop edges that the solution uses
   */
  GraphSolution solved(Pose[] poses, Pose[] closed, Edge[] by) {
    return new GraphSolution(number + 1, poses, closed, found, by, nextPlace, work, uncertainty);
  }

  /** Returns a copy with another solver budget. */
  GraphSolution with(SolverBudget other) {
    return new GraphSolution(number, local, global, found, used, nextPlace, other, uncertainty);
  }

  /** Returns a copy with another uncertainty. */
  GraphSolution with(SymmetricMatrix3 other) {
    return new GraphSolution(number, local, global, found, used, nextPlace, work, other);
  }

  /** Returns true if the filter's path has changed since the graph was solved. */
  boolean isOutdated(Pose[] now) {
    return outdatedFrom(now) < local.length;
  }

  /**
   * Returns how many of the first nodes can be held: those up to the last loop, up to where the
   * filter's path has changed, and up to the first node that a believed edge would move.
   *
   * @param mover the first node that would be moved by an edge that is believed but does not fit
   */
  int settled(Pose[] now, int mover) {
    int looped = Arrays.stream(used).mapToInt(Edge::to).max().orElse(0);
    return Math.max(1, Math.min(mover, Math.min(looped, outdatedFrom(now)) + 1));
  }

  /**
   * Returns the first node from which on the filter's path has changed; else the number of nodes.
   */
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

  /**
   * Returns all nodes in the {@code map} frame; nodes after the solution follow by the filter's
   * path.
   */
  Pose[] moved(Pose[] now) {
    return continued(global, now);
  }

  /**
   * Returns all nodes' local poses at the solution; nodes after it follow by the filter's path now.
   */
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
   * Returns a copy with all nodes so far; nodes after the solution follow by the filter's path.
   *
   * @param now the filter's local poses of all nodes
   */
  GraphSolution upTo(Pose[] now) {
    return new GraphSolution(number, now, moved(now), found, used, nextPlace, work, uncertainty);
  }
}
