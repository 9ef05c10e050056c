package org.cartostream.slam.graph;

import java.util.Arrays;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;

/**
 * A pose graph: the nodes of a path, constrained by edges, some of which may be wrong.
 *
 * <p>The poses that fit the edges best, by least squares, are found by Gauss-Newton steps (Lu and
 * Milios, Globally consistent range scan alignment, 1997; the equations as in Grisetti et al., A
 * tutorial on graph-based SLAM, 2010). Loop edges that do not fit count for little by the end:
 * their error enters as Geman and McClure have it, {@code c² r² / (r² + c²)}. Where a path is far
 * off, the right ones do not fit either at first. So at first all loop edges count in full, and the
 * cost of large errors approaches Geman and McClure's step by step (graduated non-convexity: Yang
 * et al. 2020, section III-B). In the last steps the edges' weights stay fixed.
 */
final class PoseGraph {

  /**
   * Squared error c² of a loop edge, in standard deviations, beyond which the edge hardly counts.
   */
  private static final double FITS = 9;

  /** Factor between two steps of the graduated non-convexity. */
  private static final double GRADUATION = 2;

  /** Gauss-Newton steps in each step of the graduation, and in the end. */
  private static final int STEPS = 1;

  private static final int LAST_STEPS = 10;

  /** Largest movement of a pose in a step, metres or radians, below which the graph is at rest. */
  private static final double AT_REST = 1e-4;

  private final List<Edge> edges;
  private final int held;
  private long productsLeft;

  /**
   * Creates a graph whose first nodes are held.
   *
   * @param edges the chain from each node to the next, and loop edges, each to the later node
   * @param held number of the first nodes that are held, at least one, for edges alone do not fix
   *     the graph's pose. Edges between held nodes have no effect
   * @param maxProducts maximum number of 3 × 3 blocks that may be multiplied to fit the graph
   */
  PoseGraph(List<Edge> edges, int held, long maxProducts) {
    this.edges = edges.stream().filter(edge -> edge.to() >= held).toList();
    this.held = held;
    this.productsLeft = maxProducts;
  }

  /**
   * Returns the number of blocks that may still be multiplied; negative if the fit was given up.
   */
  long productsLeft() {
    return productsLeft;
  }

  /**
   * Returns the poses that fit the edges best, near {@code start}; held nodes keep their poses.
   *
   * @param start not changed
   * @return null if it takes more than it may, see {@link #productsLeft}
   */
  Pose[] fitted(Pose[] start) {
    Pose[] poses = start.clone();
    double[] weights = new double[edges.size()];
    Arrays.fill(weights, 1);
    double worst = 0;
    for (Edge edge : edges) {
      worst = edge.isLoop() ? Math.max(worst, edge.squaredError(poses)) : worst;
    }
    double leniency = Math.max(1, 2 * worst / FITS);
    while (leniency > 1 && productsLeft >= 0) {
      settle(poses, weights, STEPS);
      weigh(poses, leniency, weights);
      leniency /= GRADUATION;
    }
    settle(poses, weights, STEPS);
    weigh(poses, 1, weights);
    settle(poses, weights, LAST_STEPS);
    return productsLeft < 0 ? null : poses;
  }

  /**
   * Returns the last node's marginal covariance, given the held nodes and with each edge counted in
   * full; along the axes of the poses' frame.
   *
   * @return null if it takes more than it may, see {@link #productsLeft}
   */
  SymmetricMatrix3 covarianceOfLast(Pose[] poses) {
    SparseBlockSystem system = new SparseBlockSystem(poses.length - held);
    edges.forEach(edge -> add(edge, 1, poses, system));
    double[] c = system.inverseAtLast(productsLeft);
    productsLeft -= system.products();
    return c == null ? null : new SymmetricMatrix3(c[0], c[1], c[2], c[4], c[5], c[8]);
  }

  /** Returns the loop edges that fit given poses. */
  List<Edge> fittingLoops(Pose[] poses) {
    return edges.stream().filter(edge -> edge.isLoop() && fits(edge, poses)).toList();
  }

  /** Returns true if an edge's squared error at given poses is within {@link #FITS}. */
  static boolean fits(Edge edge, Pose[] poses) {
    return edge.squaredError(poses) < FITS;
  }

  private void weigh(Pose[] poses, double leniency, double[] weights) {
    for (int i = 0; i < weights.length; i++) {
      if (edges.get(i).isLoop()) {
        double fits = leniency * FITS;
        double share = fits / (edges.get(i).squaredError(poses) + fits);
        weights[i] = share * share;
      }
    }
  }

  private void settle(Pose[] poses, double[] weights, int maxSteps) {
    double moved = Double.MAX_VALUE;
    for (int i = 0; i < maxSteps && moved > AT_REST && productsLeft >= 0; i++) {
      moved = step(poses, weights);
    }
  }

  /** Makes one Gauss-Newton step; returns the largest movement of a pose, metres or radians. */
  private double step(Pose[] poses, double[] weights) {
    SparseBlockSystem system = new SparseBlockSystem(poses.length - held);
    for (int i = 0; i < weights.length; i++) {
      add(edges.get(i), weights[i], poses, system);
    }
    double[] change = system.solve(productsLeft);
    productsLeft -= system.products();
    if (change == null) {
      return 0;
    }
    double max = 0;
    for (int i = held; i < poses.length; i++) {
      Pose pose = poses[i];
      double x = change[Block3x3.SIDE * (i - held)];
      double y = change[Block3x3.SIDE * (i - held) + 1];
      double theta = change[Block3x3.SIDE * (i - held) + 2];
      poses[i] = new Pose(pose.x() + x, pose.y() + y, Pose.wrap(pose.theta() + theta));
      max = Math.max(max, Math.max(Math.abs(theta), Math.max(Math.abs(x), Math.abs(y))));
    }
    return max;
  }

  private void add(Edge edge, double weight, Pose[] poses, SparseBlockSystem system) {
    Pose from = poses[edge.from()];
    Pose to = poses[edge.to()];
    double cos = StrictMath.cos(from.theta());
    double sin = StrictMath.sin(from.theta());
    double dx = to.x() - from.x();
    double dy = to.y() - from.y();
    // Derivatives of the error by the pose of the edge's start, and by that of its end.
    double[] byFrom = {-cos, -sin, -sin * dx + cos * dy, sin, -cos, -cos * dx - sin * dy, 0, 0, -1};
    double[] byTo = {cos, sin, 0, -sin, cos, 0, 0, 0, 1};
    SymmetricMatrix3 m = edge.information().times(weight);
    double[] information = {m.xx(), m.xy(), m.xt(), m.xy(), m.yy(), m.yt(), m.xt(), m.yt(), m.tt()};
    double[] fromSide = Block3x3.product(Block3x3.transposed(byFrom), information);
    double[] toSide = Block3x3.product(Block3x3.transposed(byTo), information);
    Pose error = edge.error(poses);
    double[] off = {error.x(), error.y(), error.theta()};
    double[] atFrom = new double[Block3x3.SIDE];
    double[] atTo = new double[Block3x3.SIDE];
    Block3x3.addTimes(-1, fromSide, off, 0, atFrom, 0);
    Block3x3.addTimes(-1, toSide, off, 0, atTo, 0);
    double[] jj = Block3x3.product(toSide, byTo);
    if (edge.from() < held) {
      system.add(edge.to() - held, jj, atTo);
      return;
    }
    system.add(
        edge.from() - held,
        edge.to() - held,
        Block3x3.product(fromSide, byFrom),
        Block3x3.product(fromSide, byTo),
        jj,
        atFrom,
        atTo);
  }
}
