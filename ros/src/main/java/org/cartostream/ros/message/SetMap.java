package org.cartostream.ros.message;

import org.cartostream.ros.serialization.ServiceType;

/** {@code nav_msgs/SetMap}: a new map, and the pose of the robot in it. */
public final class SetMap {

  public static final ServiceType<Request, Response> TYPE =
      ServiceType.of("nav_msgs/SetMap", Request.class, Response.class);

  private SetMap() {}

  /** Request with a map, and the pose of the robot in it. */
  public record Request(RosOccupancyGrid map, PoseWithCovarianceStamped initialPose) {}

  /** Result of a request to set a map. */
  public record Response(boolean success) {}
}
