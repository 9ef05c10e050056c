package org.cartostream.ros.message;

import org.cartostream.ros.serialization.ServiceType;

/** {@code nav_msgs/SetMap}: another map, and where a robot is in it. */
public final class SetMap {

  public static final ServiceType<Request, Response> TYPE =
      ServiceType.of("nav_msgs/SetMap", Request.class, Response.class);

  private SetMap() {}

  /** The map, and the pose in it. */
  public record Request(RosOccupancyGrid map, PoseWithCovarianceStamped initialPose) {}

  /** Whether it is taken. */
  public record Response(boolean success) {}
}
