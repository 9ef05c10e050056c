/**
 * Closes the loops of a path, on the way and at its end: finds where the robot came back, and bends
 * the path by a pose graph.
 */
package org.cartostream.slam.graph;
