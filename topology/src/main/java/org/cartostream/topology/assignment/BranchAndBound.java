package org.cartostream.topology.assignment;

import java.util.Arrays;

/**
 * Exact solver of a {@link TransportationProblem} by branch and bound (Land and Doig 1960). The
 * {@link InitialPlan} alone moves up to 1.8 times as many bytes ({@code
 * docs/measurements/assignment-plans.csv}).
 *
 * <p>At each node of the search tree some pairs of family and task are decided: paid for, or not
 * used. The {@link LinearRelaxation} of the other pairs gives a lower bound of the bytes that any
 * plan under this node moves, and a plan, which is kept if it is the best so far. A node whose
 * bound is not below the best plan is pruned. Else the search branches on the pair of which the
 * relaxation leaves most bytes of the charge unpaid.
 *
 * <p>The budget is counted in examined pairs, not in time, so that the answer is the same on every
 * machine. Nodes left unexplored enter the lower bound {@link #minBytes}.
 *
 * <p>Owns the decisions on the way from the root to the current node, and the best plan so far.
 */
final class BranchAndBound {

  /** Number of pairs after which no further node is examined; a million take about 5 ms. */
  private static final long BUDGET = 1_000_000;

  private enum Pair {
    UNDECIDED,
    PAID,
    UNUSED
  }

  private record Branch(int family, int task) {}

  private final TransportationProblem problem;
  private final Pair[][] pairs;
  private final long floor;

  private int[][] plan;
  private long bytes;
  private long paid;
  private long examinedPairs;

  /** Lower bound of the bytes that plans in the unexplored part of the tree move. */
  private long open = Long.MAX_VALUE;

  private BranchAndBound(InitialPlan first) {
    this.problem = first.problem();
    this.pairs = new Pair[problem.families()][problem.tasks()];
    for (Pair[] row : pairs) {
      Arrays.fill(row, Pair.UNDECIDED);
    }
    this.floor = first.minBytes();
    this.plan = first.plan();
    this.bytes = problem.bytes(plan);
  }

  /**
   * Searches for the best plan.
   *
   * @param first plan to improve on
   */
  static BranchAndBound from(InitialPlan first) {
    BranchAndBound search = new BranchAndBound(first);
    search.explore(search.floor);
    return search;
  }

  /** Returns the best plan found. */
  int[][] plan() {
    return plan;
  }

  /** Returns the number of bytes that the best plan moves. */
  long bytes() {
    return bytes;
  }

  /**
   * Returns the lower bound of the bytes that a plan moves; equal to {@link #bytes} if the search
   * was completed.
   */
  long minBytes() {
    return Math.max(floor, Math.min(bytes, open));
  }

  /**
   * Explores a node and its branches.
   *
   * @param atLeast lower bound of the bytes that plans under this node move
   */
  private void explore(long atLeast) {
    if (atLeast >= bytes) {
      return;
    }
    if (examinedPairs >= BUDGET) {
      open = Math.min(open, atLeast);
      return;
    }
    LinearRelaxation linearRelaxation = new LinearRelaxation(problem, slopes());
    boolean possible = linearRelaxation.solve();
    examinedPairs += linearRelaxation.examinedPairs() + (long) problem.families() * problem.tasks();
    if (possible) {
      keepIfBest(linearRelaxation.plan());
      branch(linearRelaxation.plan(), Math.max(atLeast, paid + linearRelaxation.bytes()));
    }
  }

  private void branch(int[][] relaxed, long atLeast) {
    if (atLeast >= bytes) {
      return;
    }
    Branch branch = mostUnderpaid(relaxed);
    if (branch == null) {
      // The gap is from rounding: slopes are rounded down, by a few bytes for thousands of
      // siblings.
      open = Math.min(open, atLeast);
      return;
    }
    Pair[] row = pairs[branch.family()];
    long charge = problem.charges()[branch.family()][branch.task()];
    row[branch.task()] = Pair.PAID;
    paid += charge;
    explore(atLeast);
    paid -= charge;
    row[branch.task()] = Pair.UNUSED;
    explore(atLeast);
    row[branch.task()] = Pair.UNDECIDED;
  }

  private long[][] slopes() {
    long[][] slopes = new long[problem.families()][problem.tasks()];
    for (int family = 0; family < slopes.length; family++) {
      for (int task = 0; task < problem.tasks(); task++) {
        slopes[family][task] =
            switch (pairs[family][task]) {
              case UNDECIDED -> LinearRelaxation.slope(problem, family, task);
              case PAID -> 0;
              case UNUSED -> LinearRelaxation.CLOSED;
            };
      }
    }
    return slopes;
  }

  private void keepIfBest(int[][] candidate) {
    long moved = problem.bytes(candidate);
    if (moved < bytes) {
      bytes = moved;
      plan = candidate;
    }
  }

  /**
   * Returns the undecided pair of whose charge the relaxation leaves most unpaid; null if there is
   * none.
   */
  private Branch mostUnderpaid(int[][] relaxed) {
    Branch branch = null;
    long max = 0;
    for (int family = 0; family < relaxed.length; family++) {
      for (int task = 0; task < problem.tasks(); task++) {
        int used = relaxed[family][task];
        if (used > 0 && pairs[family][task] == Pair.UNDECIDED) {
          int could = problem.max(family, task);
          long unpaid = problem.charges()[family][task] * (could - used);
          if (unpaid / could > max || (branch == null && unpaid > 0)) {
            max = unpaid / could;
            branch = new Branch(family, task);
          }
        }
      }
    }
    return branch;
  }
}
