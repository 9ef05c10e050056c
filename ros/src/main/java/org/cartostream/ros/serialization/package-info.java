/**
 * From a .msg text and the Java record that mirrors it to ROS 1's wire format, ROS 2's CDR and
 * rosbridge's JSON; MD5 sums.
 */
package org.cartostream.ros.serialization;
