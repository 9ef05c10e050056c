package org.cartostream.slam.particle;

import org.cartostream.slam.geometry.Pose;

/**
 * Weigher of particles for one step: moves each particle and weighs it. Data common to all
 * particles is computed once. A plain object, which may be part of a checkpoint.
 *
 * @param <C> what the filter keeps of a particle
 */
public interface StepWeigher<C> {

  /**
   * Result of weighing a particle by a step.
   *
   * @param logLikelihood log likelihood of the step's scan at the pose, nats
   * @param evaluations how many poses were scored
   * @param bytes roughly the size of the particle's content when sent to another task
   */
  record Weighed(Pose pose, double logLikelihood, long evaluations, long bytes) {}

  Weighed weigh(Particle<C> particle);

  /**
   * Returns for how many independent measurements a log likelihood counts; 0 if the step shows
   * nothing, or nobody asks.
   */
  default double evidence() {
    return 0;
  }

  /**
   * Returns true if the step places the particles anew, so that their former weights are dropped.
   */
  default boolean placesAnew() {
    return false;
  }

  /** Poses that were scored before the step, and are counted with it. */
  default long evaluationsBefore() {
    return 0;
  }
}
