package org.cartostream.gateway;

import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.replay.ReplayListener;
import org.cartostream.slam.sensor.Reading;

/** Listens to nothing but what a test overrides. */
public class NoReplayListener implements ReplayListener {

  @Override
  public void onOutcome(Reading reading, Outcome outcome) {}

  @Override
  public void onLogEnd() {}

  @Override
  public void onOutage(String why) {}

  @Override
  public void onReconnect() {}
}
