/**
 * A small ROS 1 client of our own, on the JDK alone. {@link
 * org.cartostream.gateway.ros.client.RosNode} is all that the gateway knows of it.
 */
package org.cartostream.gateway.ros.client;
