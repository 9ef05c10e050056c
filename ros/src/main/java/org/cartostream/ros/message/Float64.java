package org.cartostream.ros.message;

import org.cartostream.ros.serialization.MessageType;

/** {@code std_msgs/Float64}. */
public record Float64(double data) {

  public static final MessageType<Float64> TYPE = MessageType.of("std_msgs/Float64", Float64.class);
}
