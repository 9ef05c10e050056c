package org.cartostream.ros.message;

import java.util.List;
import org.cartostream.ros.serialization.MessageType;

/** {@code geometry_msgs/PoseArray}. */
public record PoseArray(Header header, List<RosPose> poses) {

  public static final MessageType<PoseArray> TYPE =
      MessageType.of("geometry_msgs/PoseArray", PoseArray.class);
}
