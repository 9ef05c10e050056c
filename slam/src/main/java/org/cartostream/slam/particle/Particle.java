package org.cartostream.slam.particle;

import org.cartostream.slam.geometry.Pose;

/**
 * One hypothesis of a particle filter.
 *
 * @param number the particle's number in the run, from 0
 * @param pose its hypothesis of the robot's pose
 * @param content further data of its filter, such as a map; particles may share it
 * @param updated true if the current step's scan is entered in {@code content}
 */
public record Particle<C>(int number, Pose pose, C content, boolean updated) {

  Particle<C> moved(Pose to) {
    return new Particle<>(number, to, content, false);
  }

  /** Returns a copy with a content in which the current step's scan is entered. */
  public Particle<C> updated(C with) {
    return new Particle<>(number, pose, with, true);
  }

  /** Returns the same particle with another content. */
  public Particle<C> with(C other) {
    return new Particle<>(number, pose, other, updated);
  }

  /** Returns a copy with another number. */
  public Particle<C> child(int itsNumber) {
    return new Particle<>(itsNumber, pose, content, updated);
  }
}
