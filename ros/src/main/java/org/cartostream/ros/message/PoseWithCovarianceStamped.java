package org.cartostream.ros.message;

import org.cartostream.ros.serialization.MessageType;

/** {@code geometry_msgs/PoseWithCovarianceStamped}. */
public record PoseWithCovarianceStamped(Header header, PoseWithCovariance pose) {

  public static final MessageType<PoseWithCovarianceStamped> TYPE =
      MessageType.of("geometry_msgs/PoseWithCovarianceStamped", PoseWithCovarianceStamped.class);
}
