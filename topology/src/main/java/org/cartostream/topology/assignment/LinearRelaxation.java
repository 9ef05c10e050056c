package org.cartostream.topology.assignment;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The linear relaxation of a {@link TransportationProblem}: each sibling pays an equal share of the
 * fixed charge (the slope) instead of the first one paying all of it. If the slope is the charge
 * divided by the greatest number of siblings that the task can take, no plan costs more than in the
 * original problem. So the cheapest plan's cost is a lower bound of the original optimum (Balinski
 * 1961), and the plan itself is often good.
 *
 * <p>The relaxation is solved exactly by the Hungarian method for groups, the transportation
 * problem (Munkres 1957), as successive shortest paths with potentials (Edmonds and Karp 1972):
 *
 * <ol>
 *   <li>Each family begins at the task with its lowest slope.
 *   <li>For a task with more particles than places, the cheapest chain of moves is sought that ends
 *       at a task with a free place; each move takes a sibling of some family from one task to the
 *       next. Chains run over tasks, of which there are few, not over particles.
 *   <li>As many particles as possible move along the chain. Both steps repeat until no task has too
 *       many.
 * </ol>
 *
 * <p>Owns one plan and, by pair of tasks, the family that moves from one to the other at the least
 * cost. It computes in whole numbers only; ties go to the lower number.
 */
final class LinearRelaxation {

  /**
   * Number of parts of a byte in which slopes are counted, rounded down so that the bound stays a
   * lower one.
   */
  private static final long PARTS = 1 << 12;

  /** Slope of a pair of family and task that may not be used. */
  static final long CLOSED = Long.MAX_VALUE;

  private static final int NOBODY = -1;

  private final TransportationProblem problem;
  private final long[][] slopes;
  private final int tasks;
  private final int[][] plan;

  /** Excess of particles over places, by task. */
  private final int[] excess;

  private final BitSet[] members;

  /**
   * Family of which a sibling moves from one task to another at the least cost, by pair of tasks;
   * the costs are in {@code cheapestCost}.
   */
  private final int[][] cheapestSibling;

  private final long[][] cheapestCost;

  private final long[] potential;
  private final long[] distance;

  /** Task that precedes each task on the cheapest chain. */
  private final int[] before;

  private long examinedPairs;

  /**
   * @param slopes cost of a sibling in parts of a byte, by family and task: {@link #slope}, 0 or
   *     {@link #CLOSED}
   */
  LinearRelaxation(TransportationProblem problem, long[][] slopes) {
    this.problem = problem;
    this.slopes = slopes;
    this.tasks = problem.tasks();
    this.plan = new int[problem.families()][tasks];
    this.excess = Arrays.stream(problem.places()).map(places -> -places).toArray();
    this.members = new BitSet[tasks];
    this.cheapestSibling = new int[tasks][tasks];
    this.cheapestCost = new long[tasks][tasks];
    this.potential = new long[tasks];
    this.distance = new long[tasks];
    this.before = new int[tasks];
    for (int task = 0; task < tasks; task++) {
      members[task] = new BitSet(problem.families());
      Arrays.fill(cheapestSibling[task], NOBODY);
      Arrays.fill(cheapestCost[task], CLOSED);
    }
  }

  /**
   * Returns the slope of a pair: its charge, divided by the greatest number of siblings that the
   * task can take.
   */
  static long slope(TransportationProblem problem, int family, int task) {
    int max = problem.max(family, task);
    return max == 0 ? CLOSED : problem.charges()[family][task] * PARTS / max;
  }

  /** Finds the cheapest plan; returns false if every plan would use closed pairs. */
  boolean solve() {
    if (!beginWhereCheapest()) {
      return false;
    }
    for (int task = 0; task < tasks; task++) {
      while (excess[task] > 0) {
        int end = cheapestChain(task);
        if (end == NOBODY) {
          return false;
        }
        goAlong(task, end);
      }
    }
    return true;
  }

  int[][] plan() {
    return plan;
  }

  /** Returns the cost of the plan by the slopes, bytes, rounded up. */
  long bytes() {
    long parts = 0;
    for (int family = 0; family < plan.length; family++) {
      for (int task = 0; task < tasks; task++) {
        parts += plan[family][task] > 0 ? plan[family][task] * slopes[family][task] : 0;
      }
    }
    return -Math.floorDiv(-parts, PARTS);
  }

  /**
   * Returns the number of pairs that were examined, a measure of work that is the same on every
   * machine.
   */
  long examinedPairs() {
    return examinedPairs;
  }

  private boolean beginWhereCheapest() {
    for (int family = 0; family < plan.length; family++) {
      int first = 0;
      for (int task = 1; task < tasks; task++) {
        first = slopes[family][task] < slopes[family][first] ? task : first;
      }
      if (slopes[family][first] == CLOSED) {
        return false;
      }
      add(family, first, problem.sizes()[family]);
    }
    return true;
  }

  /**
   * Returns the task with a free place at the end of the cheapest chain, by Dijkstra's algorithm;
   * {@link #before} leads back to the beginning. The potentials make the cost of every move 0 or
   * more.
   */
  private int cheapestChain(int from) {
    BitSet done = new BitSet(tasks);
    Arrays.fill(distance, CLOSED);
    distance[from] = 0;
    int nearest = from;
    while (nearest != NOBODY && excess[nearest] >= 0) {
      done.set(nearest);
      lookOnward(nearest, done);
      nearest = nearest(done);
    }
    if (nearest != NOBODY) {
      for (int task = 0; task < tasks; task++) {
        potential[task] += Math.min(distance[task], distance[nearest]);
      }
    }
    return nearest;
  }

  private void lookOnward(int task, BitSet done) {
    for (int to = done.nextClearBit(0); to < tasks; to = done.nextClearBit(to + 1)) {
      if (cheapestSibling[task][to] != NOBODY) {
        long by = distance[task] + cheapestCost[task][to] + potential[task] - potential[to];
        if (by < distance[to]) {
          distance[to] = by;
          before[to] = task;
        }
      }
    }
    examinedPairs += tasks;
  }

  private int nearest(BitSet done) {
    int nearest = NOBODY;
    for (int task = done.nextClearBit(0); task < tasks; task = done.nextClearBit(task + 1)) {
      boolean reached = distance[task] != CLOSED;
      if (reached && (nearest == NOBODY || distance[task] < distance[nearest])) {
        nearest = task;
      }
    }
    return nearest;
  }

  /** Moves as many particles as possible along the chain. */
  private void goAlong(int from, int end) {
    int many = Math.min(excess[from], -excess[end]);
    int length = 0;
    int[] siblings = new int[tasks]; // A copy, since the cheapest families change with each move.
    for (int to = end; to != from; to = before[to]) {
      siblings[length] = cheapestSibling[before[to]][to];
      many = Math.min(many, plan[siblings[length]][before[to]]);
      length++;
    }
    int to = end;
    for (int i = 0; i < length; i++) {
      add(siblings[i], to, many);
      to = before[to];
      remove(siblings[i], to, many);
    }
  }

  private void add(int family, int task, int many) {
    excess[task] += many;
    plan[family][task] += many;
    if (!members[task].get(family)) {
      members[task].set(family);
      for (int to = 0; to < tasks; to++) {
        offer(family, task, to);
      }
      examinedPairs += tasks;
    }
  }

  private void remove(int family, int task, int many) {
    excess[task] -= many;
    plan[family][task] -= many;
    if (plan[family][task] > 0) {
      return;
    }
    members[task].clear(family);
    for (int to = 0; to < tasks; to++) {
      if (cheapestSibling[task][to] == family) {
        cheapestSibling[task][to] = NOBODY;
        cheapestCost[task][to] = CLOSED;
        int there = to;
        members[task].stream().forEach(each -> offer(each, task, there));
        examinedPairs += members[task].cardinality();
      }
    }
  }

  /** Considers a family on {@code task} as the cheapest one to move from there to {@code to}. */
  private void offer(int family, int task, int to) {
    if (task != to && slopes[family][to] != CLOSED) {
      long by = slopes[family][to] - slopes[family][task];
      if (by < cheapestCost[task][to]) {
        cheapestCost[task][to] = by;
        cheapestSibling[task][to] = family;
      }
    }
  }
}
