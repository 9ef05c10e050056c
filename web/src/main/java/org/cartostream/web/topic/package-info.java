/**
 * Messages of ROS 2 and JSON about a run, by topic: for recordings and for viewers that know ROS.
 */
package org.cartostream.web.topic;
