/**
 * Asks the laser whether odometry can be right: slip, frozen, late and restarted odometry, a laser
 * that is not where it is declared.
 */
package org.cartostream.slam.odometry;
