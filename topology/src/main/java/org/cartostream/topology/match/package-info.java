/**
 * The matchers, which hold the particles, and the resampler, which decides which particles survive.
 */
package org.cartostream.topology.match;
