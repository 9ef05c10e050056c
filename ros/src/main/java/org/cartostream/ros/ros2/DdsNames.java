package org.cartostream.ros.ros2;

/**
 * DDS' names of ROS 2's topics, services and types
 * (design.ros2.org/articles/topic_and_service_names.html).
 */
final class DdsNames {

  private static final String TOPIC = "rt";

  private DdsNames() {}

  static String topic(String global) {
    return TOPIC + global;
  }

  /** Returns the ROS name of a DDS topic. */
  static String global(String topic) {
    return topic.startsWith(TOPIC + "/") ? topic.substring(TOPIC.length()) : topic;
  }

  static String request(String service) {
    return "rq" + service + "Request";
  }

  static String reply(String service) {
    return "rr" + service + "Reply";
  }

  /** Returns the ROS name of a DDS type, without DDS' decoration if the type has it. */
  static String ros2Name(String type) {
    return type.replace("::dds_::", "/").replace("::", "/").replaceFirst("_$", "");
  }

  /**
   * Returns the DDS name of a ROS type.
   *
   * @param ros2Name such as {@code sensor_msgs/msg/LaserScan}
   * @param suffix suffix of a service's request or response; else empty
   */
  static String type(String ros2Name, String suffix) {
    int name = ros2Name.lastIndexOf('/') + 1;
    return ros2Name.substring(0, name).replace("/", "::")
        + "dds_::"
        + ros2Name.substring(name)
        + suffix
        + "_";
  }
}
