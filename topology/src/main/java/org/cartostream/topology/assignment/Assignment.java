package org.cartostream.topology.assignment;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The assignment of new particles to tasks that moves the fewest bytes.
 *
 * <p>Siblings are alike until they move on, so families are spread, not particles: a {@link
 * TransportProblem}. {@link InitialPlan} gives a good plan quickly, by JGraphT's Hungarian
 * algorithm among other means, and {@link BranchAndBound} improves it until it is proved to be the
 * best or a budget of work is spent.
 *
 * <p><b>Proved:</b> if {@link #isLeast} is true, no assignment moves fewer bytes, which tests
 * compare with brute force over all assignments to up to 4 tasks. Else {@link #minBytes} is below
 * the best, and the difference is the most that could still be saved. <b>Measured</b> ({@code
 * scripts/bench-kernels Assignment}) on families as systematic resampling makes them: 100 particles
 * on 4 tasks are proved to be at their best in all of 64 cases, in 0.4 to 2 ms; on 8 tasks in 24 of
 * 64 cases, in 9 ms; 10,000 particles on 64 tasks in none, in 15 to 45 ms. There the bound from
 * below is loose (a quarter to a half of what moves when families are large), so that it does not
 * show how near the best is.
 *
 * <p>It is a pure function of its input; ties go to the lower number.
 *
 * @param owners task of each new particle
 * @param bytes that move
 * @param minBytes no assignment moves fewer
 */
public record Assignment(int[] owners, long bytes, long minBytes) {

  /** Cost of having a particle's children on a task. */
  @FunctionalInterface
  public interface TransferCost {

    /**
     * Bytes that {@code task} lacks to have the map of the old particle {@code parent}; 0 where it
     * is. However many of its children go there, this is paid once.
     */
    long bytes(int parent, int task);
  }

  /**
   * Assigns.
   *
   * @param parents old particle of each new one
   * @param transferCost of old particles, by task
   * @param places how many particles each task takes; as many as there are in all
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
    TransportProblem problem = new TransportProblem(sizes, places, charges);
    BranchAndBound search = BranchAndBound.from(InitialPlan.of(problem));
    return new Assignment(dealOut(families, search.plan()), search.bytes(), search.minBytes());
  }

  private static long[] charges(int parent, TransferCost transferCost, int tasks) {
    return IntStream.range(0, tasks).mapToLong(task -> transferCost.bytes(parent, task)).toArray();
  }

  /** Siblings by their numbers to tasks by theirs. */
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

  /** True if it is proved that no assignment moves fewer bytes. */
  public boolean isLeast() {
    return bytes == minBytes;
  }

  /**
   * Returns how many of {@code particles} each of {@code tasks} owns: as equal numbers as can be.
   */
  public static int[] places(int particles, int tasks) {
    int[] places = new int[tasks];
    for (int task = 0; task < tasks; task++) {
      places[task] = particles / tasks + (task < particles % tasks ? 1 : 0);
    }
    return places;
  }

  /** The task of each particle at the beginning of a run: equal blocks, in order. */
  public static int[] initial(int particles, int tasks) {
    int[] places = places(particles, tasks);
    return IntStream.range(0, tasks)
        .flatMap(task -> IntStream.range(0, places[task]).map(i -> task))
        .toArray();
  }

  /** The numbers of the particles that {@code task} owns, ascending. */
  public static int[] ownedBy(int task, int[] owners) {
    return IntStream.range(0, owners.length).filter(i -> owners[i] == task).toArray();
  }
}
