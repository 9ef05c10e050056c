/**
 * The progress engine of a member: matches its calls with the frames of others, watches the
 * timeouts, ends each call once.
 */
package org.cartostream.collectives.engine;
