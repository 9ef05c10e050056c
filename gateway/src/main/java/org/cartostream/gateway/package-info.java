/**
 * The robot's side: a source of readings (a log, a bag, a ROS robot), a session with the service
 * that sends them with credit, and sinks for maps and paths.
 */
package org.cartostream.gateway;
