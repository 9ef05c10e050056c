package org.cartostream.slam.particle;

/**
 * A particle filter as a run has it: made for each task of a robot's run, with what decides over
 * all of its particles.
 *
 * @param <C> what it keeps of a particle besides its pose
 */
public interface ParticleFilters<C> {

  /** Returns how many particles a run begins with, on all tasks. */
  int particles();

  /** A task's own filter. */
  ParticleFilter<C> filter(String robot, int task, TaskLayout taskLayout);

  /** Returns what decides over a robot's particles at the beginning of a run. */
  ParticleSelector selector(String robot);
}
