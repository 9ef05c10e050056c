package org.cartostream.ros.message;

import org.cartostream.ros.serialization.ServiceType;

/** {@code slam_toolbox/SaveMap} of ROS 2: a request to write the map's files. */
public final class SaveMap {

  public static final ServiceType<Request, Response> TYPE =
      ServiceType.of("slam_toolbox/SaveMap", Request.class, Response.class);

  private SaveMap() {}

  /** Request with the name of the files, without an ending. */
  public record Request(RosString name) {}

  /** Result of a request to save a map. */
  public record Response(byte result) {

    public static final Response SUCCESS = new Response((byte) 0);
    public static final Response NO_MAP = new Response((byte) 1);
    public static final Response FAILURE = new Response((byte) 255);
  }
}
