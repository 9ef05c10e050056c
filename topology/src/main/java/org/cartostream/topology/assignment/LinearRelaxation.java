package org.cartostream.topology.assignment;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The linear relaxation of a {@link TransportProblem}: each sibling pays an equal share of the
 * fixed charge (the slope) instead of the first one paying all of it. If the slope is charge / most
 * siblings, no plan costs more than before, so that the cheapest costs no more than the best of the
 * original: a bound from below (Balinski 1961), and a plan that is often good.
 *
 * <p>It is solved exactly by the Hungarian method in its form for groups, the transportation
 * problem (Munkres 1957), as successive shortest paths with potentials (Edmonds and Karp 1972):
 *
 * <ol>
 *   <li>All families begin where they are cheapest.
 *   <li>A task that has too many looks for the cheapest chain of "one of this family goes from here
 *       to there instead" that ends at a free place. Chains run over tasks, of which there are few,
 *       not over particles.
 *   <li>As many as can go along the chain do; until no task has too many.
 * </ol>
 *
 * <p>Owns one plan and, by pair of tasks, the family that goes from one to the other most cheaply.
 * Whole numbers only; ties go to the lower number.
 */
final class LinearRelaxation {

  /** Slopes are counted in parts of a byte, rounded down: the bound stays below. */
  private static final long PARTS = 1 << 12;

  /** The slope of a pair that may not be used. */
  static final long CLOSED = Long.MAX_VALUE;

  private static final int NOBODY = -1;

  private final TransportProblem problem;
  private final long[][] slopes;
  private final int tasks;
  private final int[][] plan;

  /** Excess of particles over places, by task. */
  private final int[] excess;

  private final BitSet[] members;

  /**
   * Sibling that moves from one task to another at the least cost, and that cost, by pair of tasks.
   */
  private final int[][] cheapestSibling;

  private final long[][] cheapestCost;

  private final long[] potential;
  private final long[] distance;

  /** Task before each one on the chain. */
  private final int[] before;

  private long examinedPairs;

  /**
   * @param slopes parts of a byte per sibling, by family and task: {@link #slope}, 0 or {@link
   *     #CLOSED}
   */
  LinearRelaxation(TransportProblem problem, long[][] slopes) {
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

  /** The slope of a pair: its charge shared by the most siblings that there can be. */
  static long slope(TransportProblem problem, int family, int task) {
    int max = problem.max(family, task);
    return max == 0 ? CLOSED : problem.charges()[family][task] * PARTS / max;
  }

  /** Finds the cheapest plan; false if there is none without the closed pairs. */
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

  /** Number of pairs that were looked at: the work done, the same on every machine. */
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
   * The task with a free place at the end of the cheapest chain, by Dijkstra's algorithm; {@link
   * #before} leads back. The potentials make every cost on the way 0 or more.
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

  /** Moves as many as can go along the chain. */
  private void goAlong(int from, int end) {
    int many = Math.min(excess[from], -excess[end]);
    int length = 0;
    int[] siblings = new int[tasks]; // The cheapest ones change as they move.
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

  /** The family is on {@code task} and could go on from there. */
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
