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
 * Observer of a run's events as they happen: a live page, or a recording.
 *
 * <p>First {@link #begin}; then readings, maps and the link's state in any number; {@link #result}
 * if the run comes to its end in order; last {@link #end}. The run's own thread calls, one call at
 * a time, and waits: each must return at once. Nothing that is handed over is copied or changes
 * later, and nobody may write to it.
 */
public interface RunObserver {

  /** Watches nothing. */
  RunObserver NONE = new RunObserver() {};

  /**
   * The run begins. A live robot's may begin anew, where the service has lost it: with an empty
   * map.
   *
   * @param robot its id
   * @param scans that will be read in all; 0 if nobody knows
   */
  default void begin(String robot, long scans) {}

  /**
   * A reading got its outcome. Outcomes may come out of the readings' order after an outage.
   *
   * @param number the reading's place in the run; the first is 1. 0 for what was refused before it
   *     was a reading
   * @param reading null if the number is 0
   */
  default void outcome(long number, Reading reading, Outcome outcome) {}

  /**
   * The map so far, now and then.
   *
   * @param correction number of the newest {@link org.cartostream.slam.trajectory.Correction} that
   *     it shows; the poses' may be newer for a while
   * @param stampNanos of the reading that it follows from, by the robot's clock
   */
  default void map(OccupancyGrid map, int correction, long stampNanos) {}

  /**
   * Some of the particles, now and then, in place of those before.
   *
   * @param stampNanos of the reading at which they were weighed, by the robot's clock
   */
  default void particles(ParticlesMessage newest, long stampNanos) {}

  /**
   * The loop edges by which poses are corrected, at each correction, in place of those before. They
   * lie where the corrected map has them, which may be drawn later. Just before {@link #result}
   * those of the whole path, where it has them.
   *
   * @param stampNanos of the reading from which on they count, by the robot's clock
   */
  default void loops(List<ClosedLoop> newest, long stampNanos) {}

  /**
   * Returns which share of the run's time the drawing of such maps may take, where they are drawn
   * for observers alone. The last map costs no more.
   */
  default double drawingShare() {
    return 0.05;
  }

  /**
   * The link to the service is in trouble, or well again.
   *
   * @param trouble one sentence; empty if it is well
   */
  default void link(String trouble) {}

  /**
   * The last map and the whole path, in the order of the log, with loops closed: both may lie
   * elsewhere than what was told before.
   */
  default void result(OccupancyGrid map, List<PathPose> path) {}

  /**
   * Ends the run: nothing more comes.
   *
   * @param failure why the run was given up, in a sentence; empty if it was not
   */
  default void end(String failure) {}

  /** Files that it wrote, and that are not of the run's end, each with the reason, for people. */
  default Map<String, String> unwritten() {
    return Map.of();
  }
}
