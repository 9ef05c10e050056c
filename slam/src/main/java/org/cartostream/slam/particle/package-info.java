/**
 * Any particle filter: what it says of its particles, a task's partition of them, random numbers
 * per particle, weights, resampling, moves.
 */
package org.cartostream.slam.particle;
