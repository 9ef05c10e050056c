/**
 * A ROS client library on the JDK: nodes for ROS 1 (TCPROS) and ROS 2 (RTPS, rosbridge), message
 * types, bag, MCAP and SQLite files. It knows nothing of SLAM.
 *
 * <ul>
 *   <li>{@code node}: the interface of a node, its names and arguments, the state of its master
 *   <li>{@code tcpros}: a node of ROS 1, with {@code xmlrpc} to its master and other nodes
 *   <li>{@code ros2}: a node of ROS 2, with {@code rtps} to the other participants
 *   <li>{@code rosbridge}: a node in a ROS 2 graph, through a rosbridge server
 *   <li>{@code message}: message types as records
 *   <li>{@code serialization}: messages on the wire of ROS 1, in ROS 2's CDR and in JSON
 *   <li>{@code bag}: recorded messages, with {@code unpack}: how much of them is unpacked
 * </ul>
 */
package org.cartostream.ros;
