package org.cartostream.slam.particle;

/**
 * Decides from all particles' weights which of them go on. A pure function of the weights given to
 * it: copies of it fed alike decide alike.
 */
public interface ParticleSelector {

  /** Takes all particles' weights about one step ({@link ParticleWeights#merge}). */
  Resampling resample(ParticleWeights all);
}
