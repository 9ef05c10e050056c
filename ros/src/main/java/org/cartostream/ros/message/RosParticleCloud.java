package org.cartostream.ros.message;

import java.util.List;
import org.cartostream.ros.serialization.MessageType;

/** {@code nav2_msgs/ParticleCloud} of ROS 2. */
public record RosParticleCloud(Header header, List<RosParticle> particles) {

  public static final MessageType<RosParticleCloud> TYPE =
      MessageType.of("nav2_msgs/ParticleCloud", RosParticleCloud.class);
}
