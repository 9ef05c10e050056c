package org.cartostream.ros.message;

import org.cartostream.ros.serialization.ServiceType;

/** {@code std_srvs/Empty}: a request without arguments or results. */
public final class Empty {

  public static final ServiceType<Request, Response> TYPE =
      ServiceType.of("std_srvs/Empty", Request.class, Response.class);

  private Empty() {}

  /** A request has no fields. */
  public record Request() {}

  /** A response has no fields. */
  public record Response() {}
}
