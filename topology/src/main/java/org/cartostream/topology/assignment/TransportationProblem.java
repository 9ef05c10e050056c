package org.cartostream.topology.assignment;

/**
 * The fixed-charge transportation problem (Balinski 1961) of spreading families (the new particles
 * of one parent) over tasks so that the fewest bytes move: a task needs the parent's map once,
 * whatever number of siblings it gets.
 *
 * <p>A plan has the number of siblings of each family that each task gets, {@code
 * plan[family][task]}, such that all siblings of all families have a task and no task exceeds its
 * places.
 *
 * @param sizes number of siblings of each family, at least 1
 * @param places number of particles that each task takes; their sum is that of {@code sizes}
 * @param charges bytes by family and task, paid once if any sibling goes there; 0 at the task that
 *     has the parent's map. Their sum is below 2^50 (a petabyte)
 */
record TransportationProblem(int[] sizes, int[] places, long[][] charges) {

  int families() {
    return sizes.length;
  }

  int tasks() {
    return places.length;
  }

  /** Returns the greatest number of siblings of a family that a task can take. */
  int max(int family, int task) {
    return Math.min(sizes[family], places[task]);
  }

  /**
   * Returns the task that has a family's map or, if no task has all of it, lacks the fewest bytes.
   */
  int home(int family) {
    int home = 0;
    for (int task = 1; task < tasks(); task++) {
      home = charges[family][task] < charges[family][home] ? task : home;
    }
    return home;
  }

  /** Returns the number of bytes that a plan moves. */
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
