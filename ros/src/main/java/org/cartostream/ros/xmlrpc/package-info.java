/**
 * XML-RPC between a ROS 1 node, its master and other nodes: encoding, client, and the slave API's
 * server.
 */
package org.cartostream.ros.xmlrpc;
