package org.cartostream.ros.rtps.participant;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.cartostream.ros.rtps.discovery.EndpointData;
import org.cartostream.ros.rtps.discovery.ParticipantData;
import org.cartostream.ros.rtps.wire.Guid;

/** Another participant of the domain. Owns the descriptions of its endpoints, and their size. */
final class RemoteParticipant {

  private final ParticipantData data;
  private final InetSocketAddress discoveryAddress;
  private final Map<Guid, EndpointData> writers = new HashMap<>();
  private final Map<Guid, EndpointData> readers = new HashMap<>();
  private long heardNanos;
  private long bytes;
  private boolean hasMatch;

  RemoteParticipant(ParticipantData data, InetSocketAddress discoveryAddress, long nanos) {
    this.data = data;
    this.discoveryAddress = discoveryAddress;
    this.heardNanos = nanos;
  }

  ParticipantData data() {
    return data;
  }

  InetSocketAddress discoveryAddress() {
    return discoveryAddress;
  }

  Map<Guid, EndpointData> writers() {
    return writers;
  }

  Map<Guid, EndpointData> readers() {
    return readers;
  }

  void put(EndpointData data, boolean isWriter) {
    remove(data.guid(), isWriter);
    (isWriter ? writers : readers).put(data.guid(), data);
    bytes += data.bytes();
  }

  /** Removes the description of an endpoint; false if there was none. */
  boolean remove(Guid endpoint, boolean isWriter) {
    EndpointData removed = (isWriter ? writers : readers).remove(endpoint);
    bytes -= removed == null ? 0 : removed.bytes();
    return removed != null;
  }

  /** Returns the memory of its endpoints' descriptions, bytes. */
  long bytes() {
    return bytes;
  }

  void onMatch() {
    hasMatch = true;
  }

  /** True if none of its endpoints was ever matched with a local one. */
  boolean isStranger() {
    return !hasMatch;
  }

  void onHeard(long nanos) {
    heardNanos = nanos;
  }

  boolean isGone(long nanos) {
    return nanos - heardNanos > data.leaseNanos();
  }

  @Override
  public String toString() {
    return discoveryAddress.getAddress().getHostAddress() + ":" + discoveryAddress.getPort();
  }
}
