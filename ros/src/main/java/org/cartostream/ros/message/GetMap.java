package org.cartostream.ros.message;

import org.cartostream.ros.serialization.ServiceType;

/** {@code nav_msgs/GetMap}. */
public final class GetMap {

  public static final ServiceType<Request, Response> TYPE =
      ServiceType.of("nav_msgs/GetMap", Request.class, Response.class);

  private GetMap() {}

  /** A request has no fields. */
  public record Request() {}

  /** Response with the newest map. */
  public record Response(RosOccupancyGrid map) {}
}
