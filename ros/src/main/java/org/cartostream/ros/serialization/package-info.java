/**
 * Serialization of messages, by their {@code .msg} texts and the Java records that mirror them: ROS
 * 1's wire format, ROS 2's CDR and rosbridge's JSON; MD5 sums.
 */
package org.cartostream.ros.serialization;
