package org.cartostream.ros.serialization;

/**
 * A ROS service's type: the types of its request and its response.
 *
 * @param name with its package: {@code nav_msgs/GetMap}
 * @param md5 32 hexadecimal digits
 */
public record ServiceType<Q extends Record, A extends Record>(
    String name, String md5, MessageType<Q> request, MessageType<A> response) {

  /** Returns the name as ROS 2 writes it: {@code nav_msgs/srv/GetMap}. */
  public String ros2Name() {
    return name.replace("/", "/srv/");
  }

  /**
   * The type of a service, from its {@code .srv} definition.
   *
   * @throws IllegalArgumentException if there is none, or a record is not its mirror
   */
  public static <Q extends Record, A extends Record> ServiceType<Q, A> of(
      String name, Class<Q> request, Class<A> response) {
    String[] halves = ("\n" + MessageDefinition.resource(name + ".srv")).split("\n---\n?", -1);
    if (halves.length != 2) {
      throw new IllegalArgumentException(name + ": a service has one line '---'");
    }
    MessageDefinition asked = MessageDefinition.parse(name + "Request", halves[0].trim() + "\n");
    MessageDefinition answered =
        MessageDefinition.parse(name + "Response", halves[1].trim() + "\n");
    return new ServiceType<>(
        name,
        Md5.of(asked.md5Text() + answered.md5Text()),
        MessageType.of(asked, request),
        MessageType.of(answered, response));
  }
}
