/** A ROS 2 graph through a rosbridge server (protocol version 2) over a WebSocket. */
package org.cartostream.ros.rosbridge;
