package org.cartostream.ros.node;

/**
 * Quality of service of a topic in ROS 2 (design.ros2.org/articles/qos.html). Ignored in ROS 1,
 * where TCP delivers all messages.
 *
 * @param reliable true if lost messages are sent again
 * @param latched true if a later subscriber is sent the newest messages first ({@code
 *     transient_local})
 * @param depth number of messages that a publisher keeps
 */
public record TopicQos(boolean reliable, boolean latched, int depth) {

  /** Quality of service of drivers: a subscriber with it is compatible with any publisher. */
  public static final TopicQos SENSOR_DATA = new TopicQos(false, false, 5);

  /** Default quality of service of publishers, with the depth of tf2. */
  public static final TopicQos RELIABLE = new TopicQos(true, false, 100);

  /** Quality of service with which maps are published. */
  public static final TopicQos LATCHED = new TopicQos(true, true, 1);

  /** Quality of service of a subscription to {@code /tf_static}: each publisher's last message. */
  public static final TopicQos STATIC_TRANSFORMS = new TopicQos(true, true, 100);
}
