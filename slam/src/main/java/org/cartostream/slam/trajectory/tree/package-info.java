/**
 * The paths of all particles as a tree, the scans along the settled path, the map on the way with
 * its corrections, and the best path with its loops closed.
 */
package org.cartostream.slam.trajectory.tree;
