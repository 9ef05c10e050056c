package org.cartostream.web.playback;

/**
 * Where a message stands in a recording.
 *
 * @param chunk from 0
 * @param message of the chunk, from 0
 */
record MessagePlace(int chunk, int message) {}
