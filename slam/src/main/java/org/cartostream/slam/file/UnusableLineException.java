package org.cartostream.slam.file;

import org.cartostream.slam.sensor.Refusal;

/** A line cannot be read, for the reason it carries. Never leaves this package. */
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
