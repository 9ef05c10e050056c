package org.cartostream.broker.message;

import org.cartostream.slam.geometry.Pose;

/**
 * Service to robot: its pose in the {@code map} frame, by the particle that is followed. A newer
 * one replaces it.
 */
public record PoseMessage(Pose pose) implements Message {}
