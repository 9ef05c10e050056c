package org.cartostream.gateway.session;

import java.io.IOException;
import java.util.List;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.trajectory.PathPose;

/**
 * Receiver of the service's answers in a {@link ReadingSession}, and of its outages, restarts and
 * end. Called by the session's thread.
 */
public interface SessionListener {

  /**
   * The filter has decided where the robot was when it took a reading. Called once for each
   * processed reading, with its outcome or before it: what is left to be done then, as entering the
   * scan into the maps, does not change the pose.
   */
  default void onPose(Reading reading, RobotPose pose) {}

  /**
   * Some of the particles, now and then, to be shown; newer ones may have come.
   *
   * @param stampNanos of the reading at which they were weighed, by the robot's clock
   */
  default void onParticles(long stampNanos, ParticlesMessage particles) {}

  /** The loop edges by which the map is corrected now, to be shown. */
  default void onLoops(long stampNanos, LoopsMessage loops) {}

  /** The service answered a reading; the first answer counts, later ones are dropped. */
  void onOutcome(Reading reading, Outcome outcome);

  /**
   * A reading that was sent will have no answer.
   *
   * @param why one sentence
   */
  default void onLost(Reading reading, String why) {
    onOutcome(reading, new Outcome.Lost(why));
  }

  /** A reading is too large to be sent. */
  default void onUnsendable(Reading reading, Refusal.Reason why) {
    onOutcome(reading, Outcome.Refused.of(why));
  }

  /**
   * The newest map.
   *
   * @param last true for the map that follows from all readings
   * @param correction number of the newest one that it shows, see {@link MapMessage#correction}
   * @param stampNanos of the reading that it follows from, by the robot's clock
   * @throws IOException if it cannot be written
   */
  void onMap(OccupancyGrid map, boolean last, int correction, long stampNanos) throws IOException;

  /** No more readings are sent. The service does not know yet: it still holds the filter. */
  default void onReadingsEnd() {}

  /**
   * The run came to its end.
   *
   * @throws IOException if map or path cannot be written
   */
  void onEnd(OccupancyGrid map, List<PathPose> path) throws IOException;

  /**
   * The run is over without a last map: the last one given to {@link #onMap} is what there is.
   *
   * @param why one sentence
   * @param path the whole path; empty if it has not come
   * @throws IOException if the path cannot be written
   */
  default void onIncompleteEnd(String why, List<PathPose> path) throws IOException {}

  /**
   * The service cannot go on with the robot's filter: a new run begins, with an empty map.
   *
   * @param why one sentence
   */
  void onRestart(String why);

  /**
   * No reading is sent, or answered, for the reason given: the service has been silent for long
   * (once in each silence, of a log each ten seconds), or the robot is still looked for (again
   * whenever more is known).
   *
   * @param why one sentence
   */
  default void onSilence(String why) {}

  /**
   * The broker is away. Called again when the reason is another.
   *
   * @param why one sentence
   */
  void onOutage(String why);

  /** The broker is back; what was unanswered has been sent again. */
  void onReconnect();
}
