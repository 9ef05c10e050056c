package org.cartostream.ros.rtps.endpoint;

import java.net.InetSocketAddress;
import org.cartostream.ros.rtps.wire.GuidPrefix;
import org.cartostream.ros.rtps.wire.PacketWriter;

/** Access of endpoints to their participant: its identity, sending, and timers. */
public interface EndpointContext {

  /** Returns the identity of the participant. */
  GuidPrefix self();

  /**
   * Sends a packet.
   *
   * @return false if the packet is dropped because the send buffer is full
   */
  boolean send(PacketWriter packet, InetSocketAddress to);

  /** Returns the time in nanoseconds since an arbitrary moment. */
  long nanos();

  /** Runs {@code work} after a time, never during a call of an endpoint. */
  void after(long nanos, Runnable work);
}
