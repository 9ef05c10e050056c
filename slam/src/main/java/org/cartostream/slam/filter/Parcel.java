package org.cartostream.slam.filter;

import org.cartostream.slam.geometry.Pose;

/**
 * A particle on its way to another task.
 *
 * @param sequence the step after which it moves
 * @param parent its number before resampling
 * @param children its numbers after resampling, at the receiver
 * @param pose after matching this step
 * @param map its map before this step's scan is registered, as {@code TiledMap} encodes it
 */
public record Parcel(long sequence, int parent, int[] children, Pose pose, byte[] map) {}
