package org.cartostream.ros.message;

/**
 * {@code geometry_msgs/TransformStamped}: the pose of the child frame in the parent frame.
 *
 * @param header stamp and parent frame
 */
public record TransformStamped(Header header, String childFrameId, Transform transform) {}
