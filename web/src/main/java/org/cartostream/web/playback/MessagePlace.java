package org.cartostream.web.playback;

/**
 * Position of a message in a recording.
 *
 * @param chunk from 0
 * @param message of the chunk, from 0
 */
record MessagePlace(int chunk, int message) {}
