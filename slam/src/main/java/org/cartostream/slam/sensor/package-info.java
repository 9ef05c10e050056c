/**
 * What a robot sends, a scan with the odometry pose at its stamp; why one is refused; from which
 * range on a laser reports "nothing met".
 */
package org.cartostream.slam.sensor;
