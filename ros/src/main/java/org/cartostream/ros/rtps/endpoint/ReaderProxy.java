package org.cartostream.ros.rtps.endpoint;

import java.net.InetSocketAddress;
import java.util.TreeMap;
import org.cartostream.ros.rtps.wire.Guid;

/**
 * State of a remote reader in a local writer (8.4.7.5). Owns the number up to which the reader has
 * acknowledged, and the transmissions of large samples to it.
 */
final class ReaderProxy {

  private final Guid guid;
  private final InetSocketAddress address;
  private final boolean reliable;

  /** Number of the first sample for the reader, which was matched after the earlier ones. */
  private final long firstRelevant;

  private final TreeMap<Long, Transmission> transmissions = new TreeMap<>();
  private long acknowledged;
  private int lastAckNack;
  private int lastNackFrag;
  private boolean answered;
  private int silentBeats;

  ReaderProxy(SampleWriter.Match match, long firstRelevant) {
    this.guid = match.reader();
    this.address = match.address();
    this.reliable = match.reliable();
    this.firstRelevant = firstRelevant;
    this.acknowledged = firstRelevant - 1;
  }

  Guid guid() {
    return guid;
  }

  InetSocketAddress address() {
    return address;
  }

  boolean isReliable() {
    return reliable;
  }

  long firstRelevant() {
    return firstRelevant;
  }

  long acknowledged() {
    return acknowledged;
  }

  TreeMap<Long, Transmission> transmissions() {
    return transmissions;
  }

  /** Takes an acknowledgement; false if a newer one came before. */
  boolean onAckNack(int count, long base) {
    if (answered && count - lastAckNack <= 0) {
      return false;
    }
    answered = true;
    silentBeats = 0;
    lastAckNack = count;
    acknowledged = Math.max(acknowledged, base - 1);
    return true;
  }

  boolean onNackFrag(int count) {
    boolean isNew = lastNackFrag == 0 || count - lastNackFrag > 0;
    lastNackFrag = isNew ? count : lastNackFrag;
    silentBeats = 0;
    return isNew;
  }

  /** Counts a heartbeat; returns the number of heartbeats since the last answer. */
  int beat() {
    return ++silentBeats;
  }
}
