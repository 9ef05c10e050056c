package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
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
 * one more. What counts is the bytes that must move: a family (the new particles of one parent) has
 * its parent's map where the parent was, its home, and needs it once on each other task to which
 * any of it goes. Three steps:
 *
 * <ol>
 *   <li><b>Whole families stay.</b> A family that is not wholly at home pays for its map once at
 *       least. So each task keeps those of its families whose maps weigh most among all that fit:
 *       the knapsack problem, solved exactly by dynamic programming (Bellman 1957). What room is
 *       left takes parts of the other families.
 *   <li><b>Siblings travel together.</b> A family of s siblings in search of a place and a task
 *       with f free places save min(s, f) - 1 maps. The Hungarian algorithm (Kuhn 1955, Munkres
 *       1957) of JGraphT gives each task at most one family and each family at most one task, such
 *       that they save the most; again and again, as long as anything is saved. Only the M families
 *       that save most on a task need be looked at for that task: were it given another, one of
 *       these M would be free to take its place. So at most M² families enter, however many
 *       particles there are.
 *   <li>Whoever is left takes the free places in order.
 * </ol>
 *
 * <p>How good is it? The first step makes the sum over families that pay, each once, the least
 * possible, and no family pays more than M - 1 times. So the bytes moved are the least possible for
 * two tasks, and at most M - 1 times the least for more. Each round of the second step is optimal
 * by itself, the sequence of rounds is a heuristic: a test measures on three tasks how far it is
 * from the best of all assignments.
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
    Map<Integer, Deque<Integer>> families = assignment.families();
    assignment.keepAtHome(families, ownerBefore);
    while (assignment.placeTogether(families)) {
      families.values().removeIf(Deque::isEmpty);
    }
    assignment.placeInOrder(families);
    return assignment.owners;
  }

  /** The children of each parent that has any. */
  private Map<Integer, Deque<Integer>> families() {
    Map<Integer, Deque<Integer>> families = new TreeMap<>();
    for (int child = 0; child < parents.length; child++) {
      families.computeIfAbsent(parents[child], parent -> new ArrayDeque<>()).add(child);
    }
    return families;
  }

  private void keepAtHome(Map<Integer, Deque<Integer>> families, int[] ownerBefore) {
    for (int task = 0; task < free.length; task++) {
      int home = task;
      List<Integer> here =
          families.keySet().stream().filter(parent -> ownerBefore[parent] == home).toList();
      for (int parent : dearestThatFit(here, families, free[task])) {
        placeAsManyAsFit(families.get(parent), task);
      }
      here.stream()
          .sorted(Comparator.comparingInt(parent -> -families.get(parent).size()))
          .forEach(parent -> placeAsManyAsFit(families.get(parent), home));
    }
    families.values().removeIf(Deque::isEmpty);
  }

  /** Of {@code here}, the families whose maps weigh most among all that find room together. */
  private List<Integer> dearestThatFit(
      List<Integer> here, Map<Integer, Deque<Integer>> families, int room) {
    long[] most = new long[room + 1]; // Bytes of the families so far, by the places they may take.
    List<BitSet> stays = new ArrayList<>(); // By the places that it and those before it may take.
    for (int parent : here) {
      int size = families.get(parent).size();
      BitSet stay = new BitSet(room + 1);
      for (int places = room; places >= size; places--) {
        if (most[places - size] + mapBytes[parent] > most[places]) {
          most[places] = most[places - size] + mapBytes[parent];
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
        places -= families.get(here.get(i)).size();
      }
    }
    return dearest;
  }

  private void place(int child, int task) {
    owners[child] = task;
    free[task]--;
  }

  /** True if any family was placed. */
  private boolean placeTogether(Map<Integer, Deque<Integer>> families) {
    List<Integer> tasks =
        IntStream.range(0, free.length).filter(task -> free[task] > 1).boxed().toList();
    List<Integer> parents = worthMatching(families, tasks);
    if (parents.isEmpty()) {
      return false;
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
    return true;
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
