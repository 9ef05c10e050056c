/**
 * The paths of all particles as a tree, the scans along the settled path, and the best path with
 * its loops closed.
 */
package org.cartostream.slam.trajectory.tree;
