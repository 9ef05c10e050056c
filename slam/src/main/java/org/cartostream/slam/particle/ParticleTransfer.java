package org.cartostream.slam.particle;

import org.cartostream.slam.geometry.Pose;

/**
 * A particle on its way to another task.
 *
 * @param sequence the step after which it moves
 * @param parent its number before resampling
 * @param children its numbers after resampling, at the receiver
 * @param pose pose after matching this step
 * @param ancestor from whose map the receiver makes the particle's; {@link
 *     ParticleMove#NO_ANCESTOR} if the whole map is here
 * @param path poses since the ancestor and before this step, oldest first; empty if the map is sent
 * @param map as {@code MapCodec} encodes it: all of it, or with an ancestor what was written since
 *     then; empty if poses are sent
 * @param updated true if {@code map} has this step's scan already
 */
public record ParticleTransfer(
    long sequence,
    int parent,
    int[] children,
    Pose pose,
    long ancestor,
    Pose[] path,
    byte[] map,
    boolean updated) {

  /** Size of a pose, bytes. */
  public static final int POSE_BYTES = 3 * Double.BYTES;

  /** Returns the size of the particle when it is sent, bytes: poses and map. */
  public long bytes() {
    return map.length + POSE_BYTES * (1L + path.length);
  }
}
