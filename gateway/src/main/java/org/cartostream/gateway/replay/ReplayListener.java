package org.cartostream.gateway.replay;

import java.util.Optional;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;

/** Receiver of the events of a replay. Called by the replay's own thread: be quick. */
public interface ReplayListener {

  /** The log is that of the run, as far as the run has gone: nothing was changed before. */
  default void onLogKnown() {}

  /** True as long as the log's next entry depends on answers that have not come. */
  default boolean isLogHeld() {
    return false;
  }

  /** A reading was answered. */
  void onOutcome(Reading reading, Outcome outcome);

  /**
   * The map so far.
   *
   * @param correction number of the newest one that it shows
   * @param stampNanos of the reading that it follows from, by the robot's clock
   */
  default void onMap(OccupancyGrid map, int correction, long stampNanos) {}

  /**
   * Some of the particles, now and then, to be shown; newer ones may have come.
   *
   * @param stampNanos of the reading at which they were weighed, by the robot's clock
   */
  default void onParticles(long stampNanos, ParticlesMessage particles) {}

  /** The loop edges by which the map is corrected now, to be shown. */
  default void onLoops(long stampNanos, LoopsMessage loops) {}

  /**
   * Called when nothing more is read. The service does not know yet: it still holds the robot's
   * filter.
   */
  void onLogEnd();

  /**
   * Called each ten seconds of a silence.
   *
   * @param why one sentence: what is waited for, and for how long it will be
   */
  default void onSilence(String why) {}

  /**
   * Asked each ten seconds of a silence: who works at bringing the service back, for people; empty
   * if nobody. The replay waits ten times as long then. No answer is taken meanwhile.
   */
  default Optional<String> repair() {
    return Optional.empty();
  }

  /**
   * The broker is away; the replay waits for it. Called again when the reason is another.
   *
   * @param why one sentence
   */
  void onOutage(String why);

  /** The broker is back; what was unanswered has been sent again. */
  void onReconnect();
}
