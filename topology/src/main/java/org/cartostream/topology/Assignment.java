package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jgrapht.alg.matching.KuhnMunkresMinimalWeightBipartitePerfectMatching;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;

/**
 * Says which task owns which particle.
 *
 * <p>Tasks own as equal numbers as possible: of N particles on M tasks the first N mod M tasks have
 * one more. A new particle costs nothing on the task that has its parent, and its parent's map
 * anywhere else; the sum is the least possible. This is the assignment problem (Kuhn 1955, Munkres
 * 1957), here solved in three steps:
 *
 * <ol>
 *   <li><b>The dearest children stay.</b> Let task t have room for c(t) particles, and let C(t) be
 *       the children whose parents it has. Any assignment costs the sum of all maps less the maps
 *       of the children that are left at home, and leaves at most min(c(t), |C(t)|) of C(t) at
 *       home; so it saves at most the min(c(t), |C(t)|) dearest of them, for each t by itself. To
 *       leave just these at home is possible for all t at once, and then it does not matter for the
 *       sum where the others go: a task with room left has all its children at home already, so
 *       that each of the others costs the same on every free place. Hence every completion is
 *       optimal.
 *   <li><b>Siblings travel together.</b> Among these completions some move fewer bytes still,
 *       because a map travels once for all siblings that go to the same task. A family of s
 *       siblings in search of a place and a task with f free places save min(s, f) - 1 maps; the
 *       Hungarian algorithm of JGraphT gives each task at most one family and each family at most
 *       one task, such that they save the most. Only the M families that save most on a task need
 *       be looked at for that task: were it given another, one of these M would be free to take its
 *       place. So at most M² families enter, however many particles there are.
 *   <li>Whoever is left takes the free places in order.
 * </ol>
 *
 * <p>Ties go to the lower number, everywhere.
 */
final class Assignment {

  private static final int NOBODY = -1;

  private final int[] parents;
  private final int[] owners;
  private final long[] mapBytes;
  private final int[] free;

  private Assignment(int[] parents, long[] mapBytes, int tasks) {
    this.parents = parents;
    this.mapBytes = mapBytes;
    this.free = capacities(parents.length, tasks);
    this.owners = new int[parents.length];
    Arrays.fill(owners, NOBODY);
  }

  /** How many of {@code particles} each of {@code tasks} owns. */
  static int[] capacities(int particles, int tasks) {
    int[] capacities = new int[tasks];
    for (int task = 0; task < tasks; task++) {
      capacities[task] = particles / tasks + (task < particles % tasks ? 1 : 0);
    }
    return capacities;
  }

  /** The task of each particle at the beginning of a run: equal blocks, in order. */
  static int[] first(int particles, int tasks) {
    int[] capacities = capacities(particles, tasks);
    return IntStream.range(0, tasks)
        .flatMap(task -> IntStream.range(0, capacities[task]).map(i -> task))
        .toArray();
  }

  /** The numbers of the particles that {@code task} owns, ascending. */
  static int[] ownedBy(int task, int[] owners) {
    return IntStream.range(0, owners.length).filter(i -> owners[i] == task).toArray();
  }

  /**
   * The task of each new particle.
   *
   * @param parents old particle of each new one
   * @param ownerBefore task of each old particle
   * @param mapBytes bytes of each old particle's map
   * @param tasks how many tasks there are
   */
  static int[] of(int[] parents, int[] ownerBefore, long[] mapBytes, int tasks) {
    Assignment assignment = new Assignment(parents, mapBytes, tasks);
    assignment.keepAtHome(ownerBefore);
    Map<Integer, Deque<Integer>> families = assignment.homeless();
    assignment.placeTogether(families);
    assignment.placeInOrder(families);
    return assignment.owners;
  }

  private void keepAtHome(int[] ownerBefore) {
    Comparator<Integer> dearest =
        Comparator.comparingLong((Integer child) -> -mapBytes[parents[child]])
            .thenComparing(child -> parents[child])
            .thenComparing(child -> child);
    IntStream.range(0, parents.length)
        .boxed()
        .sorted(dearest)
        .forEach(
            child -> {
              int home = ownerBefore[parents[child]];
              if (free[home] > 0) {
                place(child, home);
              }
            });
  }

  private void place(int child, int task) {
    owners[child] = task;
    free[task]--;
  }

  /** The children without a place, by parent. */
  private Map<Integer, Deque<Integer>> homeless() {
    Map<Integer, Deque<Integer>> families = new TreeMap<>();
    for (int child = 0; child < parents.length; child++) {
      if (owners[child] == NOBODY) {
        families.computeIfAbsent(parents[child], parent -> new ArrayDeque<>()).add(child);
      }
    }
    return families;
  }

  private void placeTogether(Map<Integer, Deque<Integer>> families) {
    List<Integer> tasks =
        IntStream.range(0, free.length).filter(task -> free[task] > 1).boxed().toList();
    List<Integer> parents = worthMatching(families, tasks);
    if (parents.isEmpty()) {
      return;
    }
    int size = Math.max(parents.size(), tasks.size());
    long[][] saved = new long[size][size];
    for (int row = 0; row < parents.size(); row++) {
      for (int column = 0; column < tasks.size(); column++) {
        int parent = parents.get(row);
        saved[row][column] = saved(parent, families.get(parent), tasks.get(column));
      }
    }
    int[] matched = hungarian(saved);
    for (int row = 0; row < parents.size(); row++) {
      if (matched[row] < tasks.size()) {
        placeAsManyAsFit(families.get(parents.get(row)), tasks.get(matched[row]));
      }
    }
  }

  /** The families that save anything and, on some task, are among the M that save most there. */
  private List<Integer> worthMatching(Map<Integer, Deque<Integer>> families, List<Integer> tasks) {
    Set<Integer> worth = new LinkedHashSet<>();
    for (int task : tasks) {
      families.keySet().stream()
          .filter(parent -> saved(parent, families.get(parent), task) > 0)
          .sorted(
              Comparator.comparingLong(
                      (Integer parent) -> -saved(parent, families.get(parent), task))
                  .thenComparing(parent -> parent))
          .limit(free.length)
          .forEach(worth::add);
    }
    return new ArrayList<>(worth);
  }

  /** Bytes saved if as many of a family as fit travel to {@code task} together. */
  private long saved(int parent, Deque<Integer> family, int task) {
    return mapBytes[parent] * (Math.min(family.size(), free[task]) - 1);
  }

  private void placeAsManyAsFit(Deque<Integer> family, int task) {
    while (!family.isEmpty() && free[task] > 0) {
      place(family.remove(), task);
    }
  }

  private void placeInOrder(Map<Integer, Deque<Integer>> families) {
    int task = 0;
    for (Deque<Integer> family : families.values()) {
      while (!family.isEmpty()) {
        while (free[task] == 0) {
          task++;
        }
        place(family.remove(), task);
      }
    }
  }

  /**
   * The column of each row such that the sum of {@code value} is greatest. JGraphT walks vertices
   * in the order of the sets given to it, so that the result depends on nothing else.
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
}
