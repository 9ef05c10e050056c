package org.cartostream.broker.message;

import org.cartostream.slam.localisation.RobotPose;

/**
 * Pose of a robot at the reading whose number the envelope carries; service to robot. Sent as soon
 * as it is decided; a newer pose replaces it.
 */
public record PoseMessage(RobotPose pose) implements Message {}
