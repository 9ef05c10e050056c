package org.cartostream.broker;

import org.cartostream.slam.sensor.Refusal;

/**
 * Thrown if a message is refused, which is expected: the receiver counts it by its reason and
 * continues.
 */
public final class RefusedMessageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Refusal.Reason why;

  public RefusedMessageException(Refusal.Reason why) {
    super(why.toString());
    this.why = why;
  }

  /** Returns the reason, with the offending value. */
  public Refusal.Reason why() {
    return why;
  }
}
