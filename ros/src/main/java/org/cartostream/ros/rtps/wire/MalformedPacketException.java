package org.cartostream.ros.rtps.wire;

/** Thrown at a malformed packet; the rest of it is not used (8.3.4.1). */
public final class MalformedPacketException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public MalformedPacketException(String message) {
    super(message);
  }
}
