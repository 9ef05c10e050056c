package org.cartostream.slam.file;

import org.cartostream.slam.sensor.Refusal;

/** Thrown if a line cannot be read; carries the reason. Never leaves this package. */
public final class UnusableLineException extends Exception {

  private static final long serialVersionUID = 1;

  private final transient Refusal.Reason why;

  public UnusableLineException(Refusal.Reason why) {
    super(why.toString(), null, false, false);
    this.why = why;
  }

  public Refusal.Reason why() {
    return why;
  }
}
