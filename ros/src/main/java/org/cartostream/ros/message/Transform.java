package org.cartostream.ros.message;

/** {@code geometry_msgs/Transform}. */
public record Transform(Vector3 translation, Quaternion rotation) {}
