/**
 * The ROS messages that the gateway speaks, as records that mirror the {@code .msg} texts among
 * this package's resources; see {@link org.cartostream.gateway.ros.client.MessageType}.
 */
package org.cartostream.gateway.ros.message;
