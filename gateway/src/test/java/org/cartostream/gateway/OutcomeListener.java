package org.cartostream.gateway;

import java.util.function.LongPredicate;
import org.cartostream.broker.Outcome;

/** Does something when so many readings are answered. Owns their count. */
final class OutcomeListener extends Unheard {

  private final LongPredicate when;
  private final Runnable then;
  private long answered;

  OutcomeListener(LongPredicate when, Runnable then) {
    this.when = when;
    this.then = then;
  }

  @Override
  public void onOutcome(Outcome outcome) {
    if (when.test(++answered)) {
      then.run();
    }
  }
}
