package org.cartostream.broker;

import org.cartostream.slam.sensor.Refusal;

/** A refused message. It is expected: the receiver counts it by its reason and goes on. */
public final class RefusedMessageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Refusal.Reason why;

  public RefusedMessageException(Refusal.Reason why) {
    super(why.toString());
    this.why = why;
  }

  /** The reason, with the offending value. */
  public Refusal.Reason why() {
    return why;
  }
}
