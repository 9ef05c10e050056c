package org.cartostream.ros.rtps.endpoint;

import java.net.InetSocketAddress;
import org.cartostream.ros.rtps.wire.GuidPrefix;
import org.cartostream.ros.rtps.wire.PacketWriter;

/** The participant that endpoints belong to, as they use it: sending, and time. */
public interface EndpointContext {

  /** The participant. */
  GuidPrefix self();

  /**
   * Sends a packet.
   *
   * @return false if it is lost because too much waits to be sent
   */
  boolean send(PacketWriter packet, InetSocketAddress to);

  /** Nanoseconds since some moment. */
  long nanos();

  /** Runs something after a time, never while an endpoint is called. */
  void after(long nanos, Runnable work);
}
