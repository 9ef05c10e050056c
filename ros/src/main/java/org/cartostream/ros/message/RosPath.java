package org.cartostream.ros.message;

import java.util.List;
import org.cartostream.ros.serialization.MessageType;

/** {@code nav_msgs/Path}. */
public record RosPath(Header header, List<PoseStamped> poses) {

  public static final MessageType<RosPath> TYPE = MessageType.of("nav_msgs/Path", RosPath.class);
}
