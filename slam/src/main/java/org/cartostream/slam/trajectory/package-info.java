/** Trajectories as data: poses by stamp, relations between them, and TUM's file format. */
package org.cartostream.slam.trajectory;
