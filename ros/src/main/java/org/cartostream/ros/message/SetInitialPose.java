package org.cartostream.ros.message;

import org.cartostream.ros.serialization.ServiceType;

/** {@code nav2_msgs/SetInitialPose} of ROS 2: a statement of the pose of a robot. */
public final class SetInitialPose {

  public static final ServiceType<Request, Response> TYPE =
      ServiceType.of("nav2_msgs/SetInitialPose", Request.class, Response.class);

  private SetInitialPose() {}

  /** Request with the pose of the robot. */
  public record Request(PoseWithCovarianceStamped pose) {}

  /** An answer has no fields. */
  public record Response() {}
}
