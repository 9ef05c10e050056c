package org.cartostream.gateway.live;

import java.util.List;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.SkipReason;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;

/**
 * Receives the answers and events of a live robot's runs. Called by the thread of {@link
 * LiveGateway#run}, except for {@link #onSkipped}: be quick.
 */
public interface LiveListener {

  /**
   * A reading that was offered will not be sent. Called by the thread of {@link LiveGateway#offer}
   * or of {@link LiveGateway#run}.
   *
   * @param stampNanos the reading's, by the robot's clock
   */
  void onSkipped(long stampNanos, SkipReason why);

  /**
   * Where the robot was when it took a reading that was sent; called once for each processed
   * reading, with its outcome or before it.
   */
  default void onPose(Reading reading, Pose pose) {}

  /** What became of a reading that was sent; each gets exactly one outcome. */
  void onOutcome(Reading reading, Outcome outcome);

  /**
   * The newest map.
   *
   * @param stampNanos of the reading that it follows from, by the robot's clock
   */
  void onMap(OccupancyGrid map, long stampNanos);

  /** The run came to its end: the last map, and the whole path of the best particle. */
  void onEnd(OccupancyGrid map, List<PathPose> path);

  /**
   * The run is over, but could not end in order: nothing more comes. The last one given to {@link
   * #onMap} is the map.
   *
   * @param why one sentence
   * @param path the whole path of the best particle; empty if it has not come
   */
  default void onIncompleteEnd(String why, List<PathPose> path) {}

  /**
   * The service cannot go on with this robot's filter, or does not answer: the next reading begins
   * a new one, with an empty map.
   *
   * @param why one sentence
   */
  void onRestart(String why);

  /**
   * The broker is away; key frames and the newest reading wait for it. Called again when the reason
   * is another.
   *
   * @param why one sentence
   */
  void onOutage(String why);

  /** The broker is back; what was unanswered has been sent again. */
  void onReconnect();
}
