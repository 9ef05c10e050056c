package org.cartostream.broker.message;

import org.cartostream.slam.geometry.Pose;

/**
 * The robot's pose in the {@code map} frame at the reading whose number the envelope carries, by
 * all particles; service to robot. Sent as soon as it is decided; a newer one replaces it.
 */
public record PoseMessage(Pose pose) implements Message {}
