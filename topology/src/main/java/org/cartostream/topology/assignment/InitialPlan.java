package org.cartostream.topology.assignment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jgrapht.alg.matching.KuhnMunkresMinimalWeightBipartitePerfectMatching;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;

/**
 * A good plan for a {@link TransportationProblem} of any size, found quickly by a heuristic in
 * three steps.
 *
 * <ol>
 *   <li><b>Whole families stay.</b> A family's home is the task that has its map. A family that is
 *       not wholly at home pays at least once for another task. So each task keeps those of its
 *       families for which that price, in sum, is highest among all sets that fit: the knapsack
 *       problem, solved exactly by dynamic programming (Bellman 1957). The least that the other
 *       families must pay is a lower bound of the bytes that any plan moves. The room that is left
 *       takes parts of other families.
 *   <li><b>Siblings travel together.</b> The Hungarian algorithm (Kuhn 1955, Munkres 1957) of
 *       JGraphT gives each task at most one family and each family at most one task, such that
 *       sending siblings together saves the most bytes. It is repeated as long as bytes are saved,
 *       for a bounded number of rounds with a bounded number of families and tasks. *
 *   <li><b>The rest.</b> Particles that are left take the free places by the {@link
 *       LinearRelaxation}, which is optimal if no two siblings go to the same task.
 * </ol>
 *
 * <p>The first step is optimal for two tasks. Each round of the second step is optimal by itself,
 * but their sequence is a heuristic.
 *
 * <p>Owns the plan as it fills, the numbers of siblings without a place, and the numbers of free
 * places.
 */
final class InitialPlan {

  /**
   * Maximum number of families, and of tasks, in a round: the time of JGraphT's matching grows with
   * the cube.
   */
  private static final int MAX_IN_A_ROUND = 64;

  private static final int MAX_ROUNDS = 8;

  private final TransportationProblem problem;
  private final int[][] plan;
  private final int[] left;
  private final int[] free;
  private long minBytes;

  private InitialPlan(TransportationProblem problem) {
    this.problem = problem;
    this.plan = new int[problem.families()][problem.tasks()];
    this.left = problem.sizes().clone();
    this.free = problem.places().clone();
  }

  static InitialPlan of(TransportationProblem problem) {
    InitialPlan first = new InitialPlan(problem);
    first.keepAtHome();
    int round = 0;
    while (round < MAX_ROUNDS && first.placeTogether()) {
      round++;
    }
    first.placeTheRest();
    return first;
  }

  TransportationProblem problem() {
    return problem;
  }

  int[][] plan() {
    return plan;
  }

  /** Returns a lower bound: no plan moves fewer bytes. */
  long minBytes() {
    return minBytes;
  }

  private void place(int family, int task) {
    int many = Math.min(left[family], free[task]);
    plan[family][task] += many;
    left[family] -= many;
    free[task] -= many;
  }

  // --- whole families stay -----------------------------------------------------------------------

  private void keepAtHome() {
    int[] homes = IntStream.range(0, problem.families()).map(problem::home).toArray();
    for (int task = 0; task < free.length; task++) {
      int home = task;
      List<Integer> here =
          IntStream.range(0, homes.length).filter(family -> homes[family] == home).boxed().toList();
      dearestThatFit(here, home).forEach(family -> place(family, home));
      for (int family : here) {
        minBytes += problem.charges()[family][home] + (left[family] > 0 ? regret(family) : 0);
      }
      here.stream()
          .filter(family -> left[family] > 0)
          .sorted(Comparator.comparingInt(family -> -left[family]))
          .forEach(family -> place(family, home));
    }
  }

  /**
   * Returns the regret of a family: the least additional charge if its home task has no room for
   * it, bytes.
   */
  private long regret(int family) {
    long[] charges = problem.charges()[family];
    int home = problem.home(family);
    long elsewhere =
        IntStream.range(0, free.length)
            .filter(task -> task != home)
            .mapToLong(task -> charges[task])
            .min()
            .orElse(charges[home]);
    return elsewhere - charges[home];
  }

  /**
   * Returns the families among {@code here} that fit on task {@code home} together and whose
   * regrets have the greatest sum.
   */
  private List<Integer> dearestThatFit(List<Integer> here, int home) {
    int room = free[home];
    if (here.stream().mapToLong(family -> left[family]).sum() <= room) {
      return here;
    }
    long[] max = new long[room + 1]; // Greatest sum of regrets so far, by the number of places.
    List<BitSet> stays = new ArrayList<>(); // By family: the numbers of places at which it stays.
    for (int family : here) {
      long regret = regret(family);
      int size = left[family];
      BitSet stay = new BitSet(room + 1);
      for (int places = room; places >= size; places--) {
        if (max[places - size] + regret > max[places]) {
          max[places] = max[places - size] + regret;
          stay.set(places);
        }
      }
      stays.add(stay);
    }
    List<Integer> dearest = new ArrayList<>();
    int places = room;
    for (int i = here.size() - 1; i >= 0; i--) {
      if (stays.get(i).get(places)) {
        dearest.add(here.get(i));
        places -= left[here.get(i)];
      }
    }
    return dearest;
  }

  // --- siblings travel together ------------------------------------------------------------------

  /** Places families by one round of the Hungarian algorithm; returns true if any was placed. */
  private boolean placeTogether() {
    List<Integer> tasks =
        IntStream.range(0, free.length)
            .filter(task -> free[task] > 1)
            .boxed()
            .sorted(Comparator.comparingInt(task -> -free[task]))
            .limit(MAX_IN_A_ROUND)
            .toList();
    List<Integer> families = thoseWhoSaveMost(tasks);
    if (families.isEmpty()) {
      return false;
    }
    int size = Math.max(families.size(), tasks.size());
    long[][] saved = new long[size][size];
    for (int row = 0; row < families.size(); row++) {
      for (int column = 0; column < tasks.size(); column++) {
        saved[row][column] = saved(families.get(row), tasks.get(column));
      }
    }
    int[] matched = hungarian(saved);
    for (int row = 0; row < families.size(); row++) {
      if (saved[row][matched[row]] > 0) {
        place(families.get(row), tasks.get(matched[row]));
      }
    }
    return true;
  }

  private List<Integer> thoseWhoSaveMost(List<Integer> tasks) {
    record Saving(int family, long bytes) {}
    return IntStream.range(0, left.length)
        .filter(family -> left[family] > 1)
        .mapToObj(family -> new Saving(family, maxSaved(family, tasks)))
        .filter(saving -> saving.bytes() > 0)
        .sorted(Comparator.comparingLong(saving -> -saving.bytes()))
        .limit(MAX_IN_A_ROUND)
        .map(Saving::family)
        .toList();
  }

  private long maxSaved(int family, List<Integer> tasks) {
    return tasks.stream().mapToLong(task -> saved(family, task)).max().orElse(0);
  }

  /**
   * Returns the bytes saved if as many siblings of a family as fit go to {@code task} together,
   * instead of each to the cheapest task at its own charge; at least 0.
   */
  private long saved(int family, int task) {
    long[] charges = problem.charges()[family];
    long alone = Long.MAX_VALUE;
    for (int each = 0; each < free.length; each++) {
      alone = free[each] > 0 ? Math.min(alone, charges[each]) : alone;
    }
    return Math.max(0, alone * Math.min(left[family], free[task]) - charges[task]);
  }

  /**
   * Returns the column of each row for which the sum of {@code value} is greatest. JGraphT walks
   * vertices in the order of the sets given to it, so that the result depends on nothing else.
   */
  private static int[] hungarian(long[][] value) {
    int size = value.length;
    SimpleWeightedGraph<Integer, DefaultWeightedEdge> graph =
        new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
    Set<Integer> rows = new LinkedHashSet<>();
    Set<Integer> columns = new LinkedHashSet<>();
    for (int i = 0; i < size; i++) {
      rows.add(i);
      columns.add(size + i);
      graph.addVertex(i);
      graph.addVertex(size + i);
    }
    long greatest = Arrays.stream(value).flatMapToLong(Arrays::stream).max().orElse(0);
    for (int row = 0; row < size; row++) {
      for (int column = 0; column < size; column++) {
        DefaultWeightedEdge edge = graph.addEdge(row, size + column);
        graph.setEdgeWeight(edge, (double) (greatest - value[row][column]));
      }
    }
    int[] matched = new int[size];
    for (DefaultWeightedEdge edge :
        new KuhnMunkresMinimalWeightBipartitePerfectMatching<>(graph, rows, columns)
            .getMatching()
            .getEdges()) {
      matched[graph.getEdgeSource(edge)] = graph.getEdgeTarget(edge) - size;
    }
    return matched;
  }

  // --- the rest ----------------------------------------------------------------------------------

  private void placeTheRest() {
    int[] families = IntStream.range(0, left.length).filter(family -> left[family] > 0).toArray();
    long[][] charges = new long[families.length][free.length];
    for (int i = 0; i < families.length; i++) {
      for (int task = 0; task < free.length; task++) {
        boolean paid = plan[families[i]][task] > 0;
        charges[i][task] = paid ? 0 : problem.charges()[families[i]][task];
      }
    }
    int[] sizes = Arrays.stream(families).map(family -> left[family]).toArray();
    LinearRelaxation linearRelaxation = relaxation(new TransportationProblem(sizes, free, charges));
    for (int i = 0; i < families.length; i++) {
      for (int task = 0; task < free.length; task++) {
        plan[families[i]][task] += linearRelaxation.plan()[i][task];
      }
    }
  }

  private static LinearRelaxation relaxation(TransportationProblem rest) {
    long[][] slopes = new long[rest.families()][rest.tasks()];
    for (int family = 0; family < slopes.length; family++) {
      for (int task = 0; task < rest.tasks(); task++) {
        slopes[family][task] = LinearRelaxation.slope(rest, family, task);
      }
    }
    LinearRelaxation linearRelaxation = new LinearRelaxation(rest, slopes);
    if (!linearRelaxation.solve()) {
      throw new IllegalStateException("no places for " + rest);
    }
    return linearRelaxation;
  }
}
