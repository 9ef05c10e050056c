package org.cartostream.gateway.journal;

import org.cartostream.broker.message.Envelope;

/**
 * The number of a run that begins, and of the reading behind which it does.
 *
 * @param run its number
 * @param before its first reading has the next number: 0, or what an earlier run came to whose
 *     state the service goes on with
 */
public record RunBeginning(long run, long before) {

  /** Returns the beginning of a run that no other goes before. */
  public static RunBeginning anew() {
    return behind(0);
  }

  /** Returns the beginning of a run that goes on with an earlier one, behind a reading of that. */
  public static RunBeginning behind(long reading) {
    return new RunBeginning(Envelope.newRun(), reading);
  }
}
