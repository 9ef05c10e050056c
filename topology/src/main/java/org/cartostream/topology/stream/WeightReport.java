package org.cartostream.topology.stream;

import org.cartostream.slam.particle.ParticleWeights;

/**
 * One task's weights after a key frame, for the resampling decision. All but the weights decides
 * where particles are to be, never what they are.
 *
 * @param weights weights of its particles
 * @param computeNanos how long it computed for them: matched this key frame, and registered the one
 *     before; 0 if that is not known
 * @param active how many tasks are to hold particles, as this one knows; 0 for all. The first
 *     task's number counts, so that all come to the same
 */
public record WeightReport(ParticleWeights weights, long computeNanos, int active) {}
