/**
 * Readings, each a scan with the odometry pose at its stamp; reasons for refusing one; the range
 * from which on a laser met nothing.
 */
package org.cartostream.slam.sensor;
