package org.cartostream.gateway.replay;

import java.util.Optional;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;

/** Receiver of the events of a replay. Called by the replay's own thread: be quick. */
public interface ReplayListener {

  /**
   * Called before the first reading is sent: if a run is resumed, the log was found to have the
   * same readings as the run, as far as those are answered.
   */
  default void onLogKnown() {}

  /** True as long as the log's next entry depends on answers that have not come. */
  default boolean isLogHeld() {
    return false;
  }

  /** Called when a reading was answered. */
  void onOutcome(Reading reading, Outcome outcome);

  /**
   * The map so far.
   *
   * @param correction number of the newest correction in the map
   * @param stampNanos stamp of the latest reading in the map, nanoseconds by the robot's clock
   */
  default void onMap(OccupancyGrid map, int correction, long stampNanos) {}

  /**
   * Called now and then with some of the particles, to be shown; newer ones may have come.
   *
   * @param stampNanos stamp of the reading at which the particles were weighed, nanoseconds by the
   *     robot's clock
   */
  default void onParticles(long stampNanos, ParticlesMessage particles) {}

  /** Called with the loop edges by which the map is corrected now, to be shown. */
  default void onLoops(long stampNanos, LoopsMessage loops) {}

  /**
   * Called when no more readings are sent. The service does not know yet, and still holds the
   * robot's filter.
   */
  void onLogEnd();

  /**
   * Called each ten seconds of a silence.
   *
   * @param why one sentence: the awaited answer, and the time-out
   */
  default void onSilence(String why) {}

  /**
   * Returns who is repairing the service, for people; empty if nobody. Called every ten seconds of
   * a silence, during which no answer is handled. While somebody is, the replay's time-out is ten
   * times as long.
   */
  default Optional<String> repair() {
    return Optional.empty();
  }

  /**
   * Called when the broker is away, for which the replay waits; again when the reason changes.
   *
   * @param why one sentence
   */
  void onOutage(String why);

  /** Called when the broker is back and unanswered readings have been sent again. */
  void onReconnect();
}
