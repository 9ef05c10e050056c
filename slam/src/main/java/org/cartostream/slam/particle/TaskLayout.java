package org.cartostream.slam.particle;

/**
 * The tasks that share a run's particles, and what they know of each other's past.
 *
 * @param tasks how many
 * @param reach of how many key frames each keeps the scans, and its particles their poses: an
 *     ancestor that is no further back may be sent from as poses. To enter so many scans should
 *     take no longer than to pack and unpack the map that they make (on aces 0.1 ms a scan, and 25
 *     ms to unpack a map of 400 scans)
 */
public record TaskLayout(int tasks, int reach) {

  /** One task, which has nobody to send to. */
  public static final TaskLayout OF_ONE = new TaskLayout(1, 0);
}
