/** A real ROS master to test against. */
package org.cartostream.gateway.ros.local;
