package org.cartostream.gateway;

/** Listens to nothing but what a test overrides. */
class Unheard implements ReplayListener {

  @Override
  public void onOutcome(Progress progress) {}

  @Override
  public void onLogEnd() {}

  @Override
  public void onOutage(String why) {}

  @Override
  public void onBack() {}
}
