/** The matchers, which hold the particles, and the resampler. */
package org.cartostream.topology.match;
