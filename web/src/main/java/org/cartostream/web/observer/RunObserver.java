package org.cartostream.web.observer;

import java.util.List;
import java.util.Map;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.PathPose;

/**
 * Observer of a run's events as they happen, such as a live page or a recording.
 *
 * <p>First comes {@link #begin}; then readings, maps and states of the link in any number; {@link
 * #result} if the run comes to its end in order; last {@link #end}. The run's own thread calls, one
 * call at a time, and waits: each method must return at once. Arguments are not copied; nobody
 * changes them later, and observers must not, either.
 */
public interface RunObserver {

  /** Observer that does nothing. */
  RunObserver NONE = new RunObserver() {};

  /**
   * Begins a run. If the service has lost a live robot's run, it begins again with an empty map.
   *
   * @param robot id of the robot
   * @param scans number of scans that will be read in all; 0 if unknown
   */
  default void begin(String robot, long scans) {}

  /**
   * Tells the outcome of a reading. Outcomes may come out of the readings' order after an outage.
   *
   * @param number number of the reading in the run, from 1; 0 for a message that was refused before
   *     it was a reading
   * @param reading the reading; null if the number is 0, or if only the service's answers are
   *     observed
   */
  default void outcome(long number, Reading reading, Outcome outcome) {}

  /**
   * Tells the map so far, from time to time.
   *
   * @param correction number of the newest {@link org.cartostream.slam.trajectory.Correction} that
   *     the map shows; poses may have a newer correction for a while
   * @param stampNanos stamp of the newest reading in the map, by the robot's clock
   */
  default void map(OccupancyGrid map, int correction, long stampNanos) {}

  /**
   * Tells some of the particles, from time to time; they replace those of the call before.
   *
   * @param stampNanos stamp of the reading at which the particles were weighed, by the robot's
   *     clock
   */
  default void particles(ParticlesMessage newest, long stampNanos) {}

  /**
   * Tells the loop edges by which poses are corrected, at each correction; they replace those of
   * the call before. Their ends lie as in the corrected map, which may be drawn later. Just before
   * {@link #result} come the loop edges of the whole path, if it has any.
   *
   * @param stampNanos stamp of the first reading whose pose is corrected by them, by the robot's
   *     clock
   */
  default void loops(List<ClosedLoop> newest, long stampNanos) {}

  /**
   * Returns the share of a run's time, from 0 to 1, that the drawing of maps may take where they
   * are drawn for observers alone. The final map does not count.
   */
  default double drawingShare() {
    return 0.05;
  }

  /**
   * Tells that the link to the service is in trouble, or well again.
   *
   * @param trouble the trouble in one sentence; empty if the link is well
   */
  default void link(String trouble) {}

  /**
   * Tells the final map and the whole path, oldest pose first, after loop closure: both may lie
   * elsewhere than what was told before.
   */
  default void result(OccupancyGrid map, List<PathPose> path) {}

  /**
   * Ends the run: no further call comes.
   *
   * @param failure reason why the run was given up, in a sentence; empty if the run ended in order
   */
  default void end(String failure) {}

  /**
   * Returns the files that this observer could not write to their end, each with the reason in a
   * sentence.
   */
  default Map<String, String> unwritten() {
    return Map.of();
  }
}
