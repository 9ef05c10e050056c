package org.cartostream.slam.particle;

/**
 * The tasks that share a run's particles, and what they know of each other's past.
 *
 * @param tasks the number of tasks
 * @param reach number of latest key frames whose scans each task keeps, and whose poses its
 *     particles keep: a particle whose ancestor is no older can be sent as its poses since then, in
 *     place of its map. To enter so many scans should take no longer than to pack and unpack the
 *     map that they make (on aces 0.1 ms a scan, and 25 ms to unpack a map of 400 scans)
 */
public record TaskLayout(int tasks, int reach) {

  /** Layout of a single task, which sends no particles. */
  public static final TaskLayout OF_ONE = new TaskLayout(1, 0);
}
