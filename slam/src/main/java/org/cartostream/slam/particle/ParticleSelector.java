package org.cartostream.slam.particle;

/**
 * The resampling decision: selects from all particles' weights those that survive. A pure function
 * of the weights given to it: copies with the same inputs decide the same.
 */
public interface ParticleSelector {

  /** Takes all particles' weights about one step ({@link ParticleWeights#merge}). */
  Resampling resample(ParticleWeights all);
}
