/**
 * Fits scans to maps: the hill climb, searches from far, and how well a scan agrees with what was
 * seen lately.
 */
package org.cartostream.slam.match;
