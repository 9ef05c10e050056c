package org.cartostream.ros.message;

import org.cartostream.ros.serialization.MessageType;

/** {@code std_msgs/String}. */
public record RosString(String data) {

  public static final MessageType<RosString> TYPE =
      MessageType.of("std_msgs/String", RosString.class);
}
