package org.cartostream.ros.rtps.participant;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.cartostream.ros.rtps.discovery.EndpointData;
import org.cartostream.ros.rtps.discovery.ParticipantData;
import org.cartostream.ros.rtps.wire.Guid;

/** Another participant of the domain. Owns what it has said of its endpoints. */
final class RemoteParticipant {

  /** A participant of ROS has some dozens for each of its nodes. */
  private static final int MOST_ENDPOINTS = 10_000;

  private final ParticipantData data;
  private final InetSocketAddress discoveryAddress;
  private final Map<Guid, EndpointData> writers = new HashMap<>();
  private final Map<Guid, EndpointData> readers = new HashMap<>();
  private long heardNanos;

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

  /** False if it has said too much already. */
  boolean hasRoom() {
    return writers.size() + readers.size() < MOST_ENDPOINTS;
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
