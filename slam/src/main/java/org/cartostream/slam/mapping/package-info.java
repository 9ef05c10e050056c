/**
 * The Rao-Blackwellised particle filter (GMapping): particles with maps, their improved proposal,
 * one task's partition, and the whole filter in one thread.
 */
package org.cartostream.slam.mapping;
