/** Topics of a run: messages of ROS 2 and JSON, for recordings and for viewers that know ROS. */
package org.cartostream.web.topic;
