package org.cartostream.slam.particle;

/**
 * Factory of a run's particle filters: one for each task, and the selector that decides over all
 * particles.
 *
 * @param <C> what the filter keeps of a particle besides its pose
 */
public interface ParticleFilters<C> {

  /** Returns how many particles a run begins with, on all tasks. */
  int particles();

  /** Returns a new filter for a task. */
  ParticleFilter<C> filter(String robot, int task, TaskLayout taskLayout);

  /** Returns the selector for a robot's particles at the beginning of a run. */
  ParticleSelector selector(String robot);
}
