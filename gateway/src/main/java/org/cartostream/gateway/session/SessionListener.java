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
   * Called with the filter's pose of the robot at a reading, once for each processed reading, with
   * its outcome or before it. Work that may remain then, such as entering the scan into the maps,
   * does not change the pose.
   */
  default void onPose(Reading reading, RobotPose pose) {}

  /**
   * Called now and then with some of the particles, to be shown; newer ones may have come.
   *
   * @param stampNanos stamp of the reading at which the particles were weighed, nanoseconds by the
   *     robot's clock
   */
  default void onParticles(long stampNanos, ParticlesMessage particles) {}

  /** Called with the loop edges by which the map is corrected now, to be shown. */
  default void onLoops(long stampNanos, LoopsMessage loops) {}

  /** Called with the first answer to a reading; later ones are dropped. */
  void onOutcome(Reading reading, Outcome outcome);

  /**
   * Called when a sent reading will have no answer.
   *
   * @param why one sentence
   */
  default void onLost(Reading reading, String why) {
    onOutcome(reading, new Outcome.Lost(why));
  }

  /** Called when a reading is too large to be sent. */
  default void onUnsendable(Reading reading, Refusal.Reason why) {
    onOutcome(reading, Outcome.Refused.of(why));
  }

  /**
   * Called with the newest map.
   *
   * @param last true for the map of all readings
   * @param correction number of the newest correction in the map, see {@link MapMessage#correction}
   * @param stampNanos stamp of the latest reading in the map, nanoseconds by the robot's clock
   * @throws IOException if the map cannot be written
   */
  void onMap(OccupancyGrid map, boolean last, int correction, long stampNanos) throws IOException;

  /**
   * Called when no more readings are sent. The service does not know yet, and still holds the
   * filter.
   */
  default void onReadingsEnd() {}

  /**
   * Called when the run has ended in order.
   *
   * @throws IOException if map or path cannot be written
   */
  void onEnd(OccupancyGrid map, List<PathPose> path) throws IOException;

  /**
   * Called when the run is over without a last map; the newest is the last one given to {@link
   * #onMap}.
   *
   * @param why one sentence
   * @param path the whole path; empty if it has not come
   * @throws IOException if the path cannot be written
   */
  default void onIncompleteEnd(String why, List<PathPose> path) throws IOException {}

  /**
   * Called when a new run begins with an empty map, because the service has lost the robot's
   * filter.
   *
   * @param why one sentence
   */
  void onRestart(String why);

  /**
   * Called while no reading is sent or answered: the service has been silent for long (once in each
   * silence; of a log every ten seconds), or the search for the robot goes on (whenever its state
   * changes).
   *
   * @param why one sentence
   */
  default void onSilence(String why) {}

  /**
   * Called when the broker is away; again when the reason changes.
   *
   * @param why one sentence
   */
  void onOutage(String why);

  /** Called when the broker is back and unanswered readings have been sent again. */
  void onReconnect();
}
