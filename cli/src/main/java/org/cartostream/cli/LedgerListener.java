package org.cartostream.cli;

import org.cartostream.broker.Outcome;
import org.cartostream.gateway.ReplayListener;

/**
 * Enters what the gateway hears of its readings into the ledger. Owns the size of the heap at the
 * end of the log. It is called, and asked afterwards, by the run's one thread.
 */
final class LedgerListener implements ReplayListener {

  private final Ledger ledger;
  private long liveHeapBytes;

  LedgerListener(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  public void onOutcome(Outcome outcome) {
    ledger.enter(outcome);
    ledger.remark("");
  }

  @Override
  public void onLogEnd() {
    liveHeapBytes = Engine.Cost.measureLiveHeap();
  }

  /** Bytes that the heap held at the end of the log; 0 if the run did not get so far. */
  long liveHeapBytes() {
    return liveHeapBytes;
  }

  @Override
  public void onOutage(String why) {
    ledger.remark("the broker is away: " + why);
  }

  @Override
  public void onBack() {
    ledger.remark("");
  }
}
