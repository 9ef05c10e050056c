package org.cartostream.gateway;

import java.util.function.LongPredicate;
import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.sensor.Reading;

/** Does something when so many readings are answered. Owns their count. */
public final class OutcomeListener extends NoReplayListener {

  private final LongPredicate when;
  private final Runnable then;
  private long answered;

  public OutcomeListener(LongPredicate when, Runnable then) {
    this.when = when;
    this.then = then;
  }

  @Override
  public void onOutcome(Reading reading, Outcome outcome) {
    if (when.test(++answered)) {
      then.run();
    }
  }
}
