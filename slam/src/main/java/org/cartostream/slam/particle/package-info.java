/** Parts of any particle filter: random numbers per particle, weights, resampling. */
package org.cartostream.slam.particle;
