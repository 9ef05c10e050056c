package org.cartostream.gateway.ros.message;

import org.cartostream.gateway.ros.client.MessageType;

/** {@code geometry_msgs/PoseStamped}. */
public record PoseStamped(Header header, PoseMessage pose) {

  public static final MessageType<PoseStamped> TYPE =
      MessageType.of("geometry_msgs/PoseStamped", PoseStamped.class);
}
