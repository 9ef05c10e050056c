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
 * The path of one run's robot as its publisher keeps it. Readings enter in the order of admission,
 * and key frames when they are decided. It is part of a checkpoint.
 */
interface RunPaths {

  /** The decisions on what has not entered. */
  DecidedKeyFrames decided();

  /** True if nothing is missing that the reading needs to enter. */
  boolean canEnter(Step step);

  /**
   * Takes a reading in.
   *
   * @return the decision on it; none if it is no key frame
   * @throws IllegalStateException if there was a decision on one before it, which never came
   */
  Optional<Payload.ResamplingResult> enter(Step step);

  /** The pose of the robot at the latest reading that has entered. */
  RobotPose current();

  /** Returns so many of the particles, if they were weighed at this reading. */
  Optional<ParticlesMessage> particles(Step step, int max);

  /** Returns by which loops the poses are corrected; empty if that was told already. */
  Optional<LoopsMessage> newLoops();

  /** True if there is a map to be sent at the reading, which has entered. */
  boolean changesMap(Step step, MapPublisher maps);

  /** Has a map drawn, see {@link MapPublisher#draw}; none if only observers are to get it. */
  Optional<MapMessage> drawnBy(MapPublisher maps, long version);

  /** Bytes of memory that the map takes, about; 0 if the robot makes none. */
  long mapBytes();

  /** Bytes of memory of the kept scans that no disk takes; 0 if none are kept. */
  long heldScanBytes();

  /**
   * Ends the paths: nothing follows.
   *
   * @param closer begins to close the loops of a path
   * @param statistics count what is known only then
   * @return the whole path; empty while its loops are being closed
   */
  Optional<LoopClosureJob.Result> end(
      Function<RecordedPath, LoopClosureJob> closer, RunStatistics statistics);

  /** True while loops are being closed at the end. */
  boolean isClosing();

  /** Nobody wants the paths any more. */
  void close();
}
