package org.cartostream.gateway.replay;

import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.sensor.Reading;

/** Receives the events of a replay. Called by the replay's own thread: be quick. */
public interface ReplayListener {

  /** A reading was answered. */
  void onOutcome(Reading reading, Outcome outcome);

  /** Nothing more is read. The service does not know yet: it still holds the robot's filter. */
  void onLogEnd();

  /**
   * The broker is away; the replay waits for it. Called again when the reason is another.
   *
   * @param why one sentence
   */
  void onOutage(String why);

  /** The broker is back; what was unanswered has been sent again. */
  void onReconnect();
}
