/** What any particle filter has: random numbers per particle, weights, resampling. */
package org.cartostream.slam.particle;
