package org.cartostream.broker;

import org.cartostream.slam.geometry.Pose;

/** Service to robot: the best particle's pose in the {@code map} frame. A newer one replaces it. */
public record PoseMessage(Pose pose) implements Message {}
