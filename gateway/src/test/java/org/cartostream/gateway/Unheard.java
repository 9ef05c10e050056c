package org.cartostream.gateway;

import org.cartostream.broker.Outcome;

/** Listens to nothing but what a test overrides. */
class Unheard implements ReplayListener {

  @Override
  public void onOutcome(Outcome outcome) {}

  @Override
  public void onLogEnd() {}

  @Override
  public void onOutage(String why) {}

  @Override
  public void onBack() {}
}
