package org.cartostream.topology;

import org.cartostream.slam.particle.ParticleWeights;

/**
 * What one task tells those who decide after a key frame. All but the beliefs decides where
 * particles are to be, never what they are.
 *
 * @param beliefs of its particles
 * @param computeNanos how long it computed for them: matched this key frame, and registered the one
 *     before; 0 if that is not known
 * @param active how many tasks are to hold particles, as this one has heard; 0 for all. The first
 *     task's word counts, so that all come to the same
 */
public record WeightReport(ParticleWeights beliefs, long computeNanos, int active) {

  /** With all tasks to hold particles. */
  public WeightReport(ParticleWeights beliefs, long computeNanos) {
    this(beliefs, computeNanos, 0);
  }
}
