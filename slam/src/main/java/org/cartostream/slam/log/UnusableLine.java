package org.cartostream.slam.log;

import org.cartostream.slam.sensor.Refusal;

/** A line cannot be read, for the reason it carries. Never leaves this package. */
final class UnusableLine extends Exception {

  private static final long serialVersionUID = 1;

  private final transient Refusal.Because why;

  UnusableLine(Refusal.Because why) {
    super(why.toString(), null, false, false);
    this.why = why;
  }

  Refusal.Because why() {
    return why;
  }
}
