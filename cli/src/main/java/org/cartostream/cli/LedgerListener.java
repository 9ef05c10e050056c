package org.cartostream.cli;

import org.cartostream.gateway.ReplayListener;

/** Enters what the gateway hears of its readings into the ledger. */
final class LedgerListener implements ReplayListener {

  private final Ledger ledger;

  LedgerListener(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  public void onOutcome(Progress progress) {
    ledger.enter(progress.outcome());
    ledger.remark("");
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
