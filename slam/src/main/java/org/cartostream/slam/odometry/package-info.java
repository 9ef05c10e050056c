/**
 * Checks odometry by the laser: slip, frozen, late and restarted odometry, a laser that is not
 * where it is declared.
 */
package org.cartostream.slam.odometry;
