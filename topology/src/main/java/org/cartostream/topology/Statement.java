package org.cartostream.topology;

import org.cartostream.slam.filter.Beliefs;

/**
 * What one task tells those who decide after a key frame.
 *
 * @param beliefs of its particles
 * @param computeNanos how long it computed for them: matched this key frame, and registered the one
 *     before; 0 if that is not known. It decides how many particles the task is to have, never what
 *     they are
 */
record Statement(Beliefs beliefs, long computeNanos) {}
