/**
 * What a run does as messages of ROS 2 and JSON, by topic: for recordings and for viewers that know
 * ROS.
 */
package org.cartostream.web.topic;
