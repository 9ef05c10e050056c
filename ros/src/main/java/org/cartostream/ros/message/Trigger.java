package org.cartostream.ros.message;

import org.cartostream.ros.serialization.ServiceType;

/**
 * {@code std_srvs/Trigger}: a request without arguments, whose response says whether it succeeded.
 */
public final class Trigger {

  public static final ServiceType<Request, Response> TYPE =
      ServiceType.of("std_srvs/Trigger", Request.class, Response.class);

  private Trigger() {}

  /** A request has no fields. */
  public record Request() {}

  /** Result of a request, and a sentence for people. */
  public record Response(boolean success, String message) {}
}
