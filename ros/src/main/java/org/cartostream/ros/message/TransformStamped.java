package org.cartostream.ros.message;

/**
 * {@code geometry_msgs/TransformStamped}: where the child frame is.
 *
 * @param header its frame is the parent's
 */
public record TransformStamped(Header header, String childFrameId, Transform transform) {}
