package org.cartostream.slam.filter;

import org.cartostream.slam.geometry.Pose;

/**
 * A particle on its way to another task.
 *
 * @param sequence the step after which it moves
 * @param parent its number before resampling
 * @param children its numbers after resampling, at the receiver
 * @param pose after matching this step
 * @param ancestor from whose map the receiver makes the particle's; {@link Ancestry#NONE} if the
 *     map is here
 * @param path the particle's latest poses before this step, oldest first: with an ancestor all
 *     since then
 * @param map its map before this step's scan is registered, as {@code MapCodec} encodes it; empty
 *     if there is an ancestor
 */
public record Parcel(
    long sequence, int parent, int[] children, Pose pose, long ancestor, Pose[] path, byte[] map) {

  /** What it takes to send it: poses and map. */
  public long bytes() {
    return map.length + (long) Ancestry.POSE_BYTES * (path.length + 1);
  }
}
