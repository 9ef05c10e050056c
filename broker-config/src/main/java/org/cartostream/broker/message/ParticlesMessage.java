package org.cartostream.broker.message;

import java.util.List;
import org.cartostream.slam.geometry.Pose;

/**
 * Some of the particles of a robot in a known map, as they were weighed at the reading whose number
 * the envelope carries; service to robot. To be shown only: sent now and then, and a newer one
 * replaces it.
 *
 * @param poses in the {@code map} frame; drawn by the particles' weights, so that each counts alike
 */
public record ParticlesMessage(List<Pose> poses) implements Message {

  public ParticlesMessage {
    poses = List.copyOf(poses);
  }
}
