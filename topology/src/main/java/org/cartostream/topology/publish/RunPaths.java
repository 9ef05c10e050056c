package org.cartostream.topology.publish;

import java.util.Optional;
import java.util.function.Function;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.stream.Payload;

/**
 * The path of one run's robot, as its publisher keeps it and saves it in checkpoints. Readings
 * enter in the order of admission; a key frame enters when the resampling decision on it has come.
 */
interface RunPaths {

  /** Returns the decisions on key frames that have not entered. */
  PendingDecisions decided();

  /**
   * Returns true if a reading can enter, as its decision and the results of due searches for loops
   * are here.
   */
  boolean canEnter(Step step);

  /**
   * Enters a reading into the path.
   *
   * @return the decision on the reading; empty if it is no key frame
   * @throws IllegalStateException if there is a decision on an earlier key frame, which never
   *     entered
   */
  Optional<Payload.ResamplingResult> enter(Step step);

  /** Returns the pose of the robot at the latest reading that has entered. */
  RobotPose current();

  /** Returns at most {@code max} of the particles, if they were weighed at this reading. */
  Optional<ParticlesMessage> particles(Step step, int max);

  /** Returns the loops by which poses are corrected; empty if these were returned before. */
  Optional<LoopsMessage> newLoops();

  /** Returns true if there is a new map to be sent after a reading, which has entered. */
  boolean changesMap(Step step, MapPublisher maps);

  /** Has a map drawn, see {@link MapPublisher#draw}; empty if only observers get it. */
  Optional<MapMessage> drawnBy(MapPublisher maps, long version);

  /** Returns the memory that the map takes, about, bytes; 0 if the robot makes no map. */
  long mapBytes();

  /**
   * Returns the memory of kept scans that could not be written to disk, bytes; 0 if no scans are
   * kept.
   */
  long heldScanBytes();

  /**
   * Ends the path at the run's end; called again until there is a result.
   *
   * @param closer begins to close the loops of a path
   * @param statistics takes figures that are known only at the end
   * @return the whole path; empty while its loops are being closed
   */
  Optional<LoopClosureJob.Result> end(
      Function<RecordedPath, LoopClosureJob> closer, RunStatistics statistics);

  /** Returns true if the closing of loops at the run's end has begun. */
  boolean isClosing();

  /** Releases the path, whose result is not needed any more. */
  void close();
}
