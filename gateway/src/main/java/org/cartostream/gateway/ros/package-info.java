/**
 * The gateway of a robot that speaks ROS: {@link org.cartostream.gateway.ros.RosGateway}. It knows
 * ROS by {@link org.cartostream.gateway.ros.client.RosNode} alone.
 */
package org.cartostream.gateway.ros;
