package org.cartostream.gateway.journal;

import org.cartostream.broker.message.Envelope;

/**
 * The number of a new run, and the number of the reading after which it begins.
 *
 * @param run number of the run
 * @param before number of the last reading before the run: 0, or the last one of the earlier run
 *     whose state the service continues
 */
public record RunBeginning(long run, long before) {

  /** Returns the beginning of a run that continues no other. */
  public static RunBeginning anew() {
    return behind(0);
  }

  /** Returns the beginning of a run that continues an earlier run behind one of its readings. */
  public static RunBeginning behind(long reading) {
    return new RunBeginning(Envelope.newRun(), reading);
  }
}
