package org.cartostream.slam.particle;

import org.cartostream.slam.geometry.Pose;

/**
 * Weigher of particles for one step: moves each particle and weighs it. What is common to all
 * particles is computed once. A plain object, for it may be part of a checkpoint.
 *
 * @param <C> what the filter keeps of a particle
 */
public interface StepWeigher<C> {

  /**
   * Result of weighing a particle by a step.
   *
   * @param logLikelihood of what the step shows, at the pose
   * @param evaluations how many poses were scored
   * @param bytes roughly what it would take to send its content to another task
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

  /** True if the step places the particles: what they weighed before counts no more. */
  default boolean placesAnew() {
    return false;
  }

  /** Poses that were scored before the step, and are counted with it. */
  default long evaluationsBefore() {
    return 0;
  }
}
