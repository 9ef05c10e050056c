/**
 * A ROS 2 graph through rosbridge: {@link org.cartostream.gateway.ros.bridge.BridgeNode} speaks
 * protocol version 2 (rosbridge_suite's ROSBRIDGE_PROTOCOL.md) over the JDK's WebSocket.
 */
package org.cartostream.gateway.ros.bridge;
