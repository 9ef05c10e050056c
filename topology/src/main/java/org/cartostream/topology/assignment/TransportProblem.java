package org.cartostream.topology.assignment;

/**
 * The fixed-charge transportation problem (Balinski 1961) of spreading families (the new particles
 * of one parent) over tasks so that the fewest bytes move: whatever number of siblings a task gets,
 * it needs their parent's map once. There is no cost by the piece.
 *
 * <p>A plan is how many of each family each task gets, {@code plan[family][task]}: all of every
 * family, and as many as each task has places.
 *
 * @param sizes how many siblings each family has, at least 1
 * @param places how many particles each task takes; their sum is that of the sizes
 * @param charges bytes by family and task, paid once if any of the family goes there; 0 where the
 *     parent's map is. In sum below 2^50 (a petabyte)
 */
record TransportProblem(int[] sizes, int[] places, long[][] charges) {

  int families() {
    return sizes.length;
  }

  int tasks() {
    return places.length;
  }

  /** The most siblings of a family that can be on a task. */
  int max(int family, int task) {
    return Math.min(sizes[family], places[task]);
  }

  /** Returns where a family's map is or, if nowhere whole, is cheapest to have. */
  int home(int family) {
    int home = 0;
    for (int task = 1; task < tasks(); task++) {
      home = charges[family][task] < charges[family][home] ? task : home;
    }
    return home;
  }

  /** Bytes that a plan moves. */
  long bytes(int[][] plan) {
    long bytes = 0;
    for (int family = 0; family < families(); family++) {
      for (int task = 0; task < tasks(); task++) {
        bytes += plan[family][task] > 0 ? charges[family][task] : 0;
      }
    }
    return bytes;
  }
}
