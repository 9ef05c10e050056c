package org.cartostream.ros.message;

import org.cartostream.ros.serialization.MessageType;

/**
 * ROS 2's {@code rcl_interfaces/Log}: a sentence for people, as on {@code /rosout}.
 *
 * @param stamp nanoseconds since 1970-01-01 UTC
 * @param level {@link #INFO} or {@link #WARN}
 * @param name name of the sender
 * @param msg the sentence
 * @param file source file of the program; may be empty, as the next two
 */
public record RosLog(
    long stamp, byte level, String name, String msg, String file, String function, long line) {

  public static final byte INFO = 20;
  public static final byte WARN = 30;

  public static final MessageType<RosLog> TYPE = MessageType.of("rcl_interfaces/Log", RosLog.class);
}
