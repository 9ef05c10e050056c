/**
 * The progress engine of a member: it matches the member's calls with the frames of others, watches
 * timeouts, and ends each call exactly once.
 */
package org.cartostream.collectives.engine;
