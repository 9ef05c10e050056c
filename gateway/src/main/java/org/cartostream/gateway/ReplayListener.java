package org.cartostream.gateway;

import org.cartostream.broker.Outcome;

/** Learns how a replay goes on. Called by the replay's own thread: be quick. */
public interface ReplayListener {

  /** Listens to nothing. */
  ReplayListener NONE =
      new ReplayListener() {
        @Override
        public void onOutcome(Progress progress) {}

        @Override
        public void onLogEnd() {}

        @Override
        public void onOutage(String why) {}

        @Override
        public void onBack() {}
      };

  /**
   * How far a replay is.
   *
   * @param counts what became of the readings so far
   * @param outcome the newest
   * @param effectiveSampleSize the newest Neff; NaN before the first processed reading
   * @param distanceMetres driven so far along the corrected poses
   */
  record Progress(
      Tally.Counts counts, Outcome outcome, double effectiveSampleSize, double distanceMetres) {}

  /** A reading was answered. */
  void onOutcome(Progress progress);

  /** Nothing more is read. The service has not been told yet: it still holds the robot's filter. */
  void onLogEnd();

  /**
   * The broker is away; the replay waits for it.
   *
   * @param why one sentence
   */
  void onOutage(String why);

  /** The broker is back; what was unanswered has been sent again. */
  void onBack();
}
