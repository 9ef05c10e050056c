package org.cartostream.broker.message;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.Correction;

/**
 * The robot's pose at the reading whose number the envelope carries, by all particles; service to
 * robot. Sent as soon as it is decided; a newer one replaces it.
 *
 * @param local as the filter has it
 * @param correction that carries it to the {@code map} frame
 */
public record PoseMessage(Pose local, Correction correction) implements Message {

  /** In the {@code map} frame. */
  public Pose pose() {
    return correction.apply(local);
  }
}
