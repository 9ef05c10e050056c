package org.cartostream.topology.assignment;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The assignment of new particles to tasks that moves the fewest bytes.
 *
 * <p>The new particles with the same parent (siblings) need the same map, so whole families are
 * assigned, not single particles: a {@link TransportationProblem}. {@link InitialPlan} gives a good
 * plan quickly, with JGraphT's Hungarian algorithm among other means, and {@link BranchAndBound}
 * improves it until it is proved to be optimal or a budget of work is spent.
 *
 * <p><b>Proved:</b> if {@link #isLeast} is true, no assignment moves fewer bytes; tests compare
 * this with brute force over all assignments to up to 4 tasks. Else {@link #minBytes} is a lower
 * bound, and at most the difference could still be saved. <b>Measured</b> ({@code
 * scripts/bench-kernels Assignment}) on families from systematic resampling: 100 particles on 4
 * tasks are proved to be optimal in all of 64 cases, in 0.4 to 2 ms; on 8 tasks in 24 of 64 cases,
 * in 9 ms; 10,000 particles on 64 tasks in none, in 15 to 45 ms. There the lower bound is loose (a
 * quarter to a half of the bytes that move, if families are large), so that it does not show how
 * near the optimum is.
 *
 * <p>The assignment is a pure function of its input; ties go to the lower number.
 *
 * @param owners task of each new particle
 * @param bytes number of bytes that move
 * @param minBytes lower bound: no assignment moves fewer bytes
 */
public record Assignment(int[] owners, long bytes, long minBytes) {

  /** Cost of placing a particle's children on a task. */
  @FunctionalInterface
  public interface TransferCost {

    /**
     * Returns the bytes of the old particle {@code parent}'s map that {@code task} lacks; 0 at the
     * task that has the map. They are paid once, however many children go there.
     */
    long bytes(int parent, int task);
  }

  /**
   * Assigns new particles to tasks.
   *
   * @param parents old particle from which each new particle comes
   * @param transferCost cost of each old particle on each task
   * @param places number of particles that each task takes; their sum is the number of particles
   * @throws IllegalArgumentException if there are more or fewer places than particles
   */
  public static Assignment of(int[] parents, TransferCost transferCost, int[] places) {
    if (Arrays.stream(places).sum() != parents.length) {
      throw new IllegalArgumentException(
          parents.length + " particles need as many places, not " + Arrays.toString(places));
    }
    int[] founders = Arrays.stream(parents).sorted().distinct().toArray();
    int[] families =
        Arrays.stream(parents).map(parent -> Arrays.binarySearch(founders, parent)).toArray();
    int[] sizes = new int[founders.length];
    Arrays.stream(families).forEach(family -> sizes[family]++);
    long[][] charges =
        Arrays.stream(founders)
            .mapToObj(parent -> charges(parent, transferCost, places.length))
            .toArray(long[][]::new);
    TransportationProblem problem = new TransportationProblem(sizes, places, charges);
    BranchAndBound search = BranchAndBound.from(InitialPlan.of(problem));
    return new Assignment(dealOut(families, search.plan()), search.bytes(), search.minBytes());
  }

  private static long[] charges(int parent, TransferCost transferCost, int tasks) {
    return IntStream.range(0, tasks).mapToLong(task -> transferCost.bytes(parent, task)).toArray();
  }

  /**
   * Turns a plan into the task of each particle: siblings, in ascending order, go to their family's
   * tasks in ascending order.
   */
  private static int[] dealOut(int[] families, int[][] plan) {
    int[] tasks = new int[plan.length];
    int[][] left = Arrays.stream(plan).map(int[]::clone).toArray(int[][]::new);
    int[] owners = new int[families.length];
    for (int child = 0; child < families.length; child++) {
      int family = families[child];
      while (left[family][tasks[family]] == 0) {
        tasks[family]++;
      }
      left[family][tasks[family]]--;
      owners[child] = tasks[family];
    }
    return owners;
  }

  /** Returns true if it is proved that no assignment moves fewer bytes. */
  public boolean isLeast() {
    return bytes == minBytes;
  }

  /**
   * Returns the number of particles of each task when {@code particles} are divided among {@code
   * tasks} as equally as possible.
   */
  public static int[] places(int particles, int tasks) {
    int[] places = new int[tasks];
    for (int task = 0; task < tasks; task++) {
      places[task] = particles / tasks + (task < particles % tasks ? 1 : 0);
    }
    return places;
  }

  /** Returns the task of each particle at the beginning of a run: equal blocks, in order. */
  public static int[] initial(int particles, int tasks) {
    int[] places = places(particles, tasks);
    return IntStream.range(0, tasks)
        .flatMap(task -> IntStream.range(0, places[task]).map(i -> task))
        .toArray();
  }

  /** Returns the numbers of the particles that {@code task} owns, ascending. */
  public static int[] ownedBy(int task, int[] owners) {
    return IntStream.range(0, owners.length).filter(i -> owners[i] == task).toArray();
  }
}
