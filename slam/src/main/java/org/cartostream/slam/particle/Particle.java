package org.cartostream.slam.particle;

import org.cartostream.slam.geometry.Pose;

/**
 * One hypothesis of a particle filter.
 *
 * @param number its place in the run's numbering, from 0
 * @param pose where it takes the robot to be
 * @param content what its filter keeps of it besides, such as a map; particles may share it
 * @param updated true if it has taken in what the current step shows
 */
public record Particle<C>(int number, Pose pose, C content, boolean updated) {

  Particle<C> moved(Pose to) {
    return new Particle<>(number, to, content, false);
  }

  /** Returns a copy with the current step in its content. */
  public Particle<C> updated(C with) {
    return new Particle<>(number, pose, with, true);
  }

  /** Returns the same particle with another content. */
  public Particle<C> with(C other) {
    return new Particle<>(number, pose, other, updated);
  }

  /** A particle of another number that is the same else. */
  public Particle<C> child(int itsNumber) {
    return new Particle<>(itsNumber, pose, content, updated);
  }
}
