package org.cartostream.ros.rtps.endpoint;

import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.ParameterList;

/**
 * One message of a DDS writer as RTPS transports it.
 *
 * @param writer id of the writer
 * @param number sequence number given by the writer, from 1
 * @param isKey true if the payload is only the key of the data instance, without its data
 * @param payload with its encapsulation header
 */
public record Sample(
    Guid writer, long number, ParameterList inlineQos, boolean isKey, byte[] payload) {

  private static final int STATUS_INFO = 0x71;
  private static final int DISPOSED_OR_UNREGISTERED = 3;

  /** Returns true if the sample disposes or unregisters its data instance (RTPS 9.6.3.9). */
  public boolean isEnd() {
    // The number is written most significant byte first, in whatever order the packet is.
    return inlineQos
        .first(STATUS_INFO)
        .filter(value -> value.remaining() >= Integer.BYTES)
        .map(value -> (value.get(value.position() + 3) & DISPOSED_OR_UNREGISTERED) != 0)
        .orElse(false);
  }

  /** Returns the inline QoS of a sample that disposes and unregisters its data instance. */
  public static ParameterList end() {
    return new ParameterList().add(STATUS_INFO, new byte[] {0, 0, 0, DISPOSED_OR_UNREGISTERED});
  }
}
