/**
 * The Rao-Blackwellised particle filter (GMapping): particles with maps, their improved proposal,
 * and the whole filter in one thread.
 */
package org.cartostream.slam.mapping;
