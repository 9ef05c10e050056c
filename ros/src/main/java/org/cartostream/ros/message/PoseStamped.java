package org.cartostream.ros.message;

import org.cartostream.ros.serialization.MessageType;

/** {@code geometry_msgs/PoseStamped}. */
public record PoseStamped(Header header, RosPose pose) {

  public static final MessageType<PoseStamped> TYPE =
      MessageType.of("geometry_msgs/PoseStamped", PoseStamped.class);
}
