package org.cartostream.ros.message;

/** {@code std_msgs/ColorRGBA}: a colour; each component from 0 to 1. */
public record ColorRgba(float r, float g, float b, float a) {}
