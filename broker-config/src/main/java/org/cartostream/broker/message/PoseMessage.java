package org.cartostream.broker.message;

import org.cartostream.slam.localisation.RobotPose;

/**
 * The robot's pose at the reading whose number the envelope carries; service to robot. Sent as soon
 * as it is decided; a newer one replaces it.
 */
public record PoseMessage(RobotPose pose) implements Message {}
