package org.cartostream.topology.stream;

import org.cartostream.slam.particle.ParticleWeights;

/**
 * One task's weights after a key frame, for the resampling decision. The other components only
 * influence on which tasks particles are placed, never the filter's answer.
 *
 * @param weights weights of the task's particles
 * @param computeNanos time that the task computed for them, to match this key frame and to enter
 *     the previous one into maps, nanoseconds; 0 if unknown
 * @param active number of tasks that are to hold particles, as far as this task knows; 0 for all.
 *     Only the first task's value counts, so that all decide the same
 */
public record WeightReport(ParticleWeights weights, long computeNanos, int active) {}
