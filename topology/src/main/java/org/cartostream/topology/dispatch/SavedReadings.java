package org.cartostream.topology.dispatch;

import java.io.IOException;
import java.util.TreeMap;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.checkpoint.RunState;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.topology.memory.MemoryQuota;

/**
 * The dispatcher's part of a checkpoint: the state of a run's readings.
 *
 * @param readingFilter filter that decides which readings are used
 * @param refused numbers of readings after the checkpoint's that were refused before their turn
 * @param lagIsSaid true if the log has said that scans' stamps lag odometry
 * @param recovery report on the run's restores so far
 * @param memory state of the run's memory quota
 * @param initialPoses initial poses that came with readings that were refused before their turn, by
 *     the readings' numbers
 * @param knownMap map in which the robot is localised; null if the robot makes its map
 */
public record SavedReadings(
    ReadingFilter readingFilter,
    long[] refused,
    boolean lagIsSaid,
    RecoveryReport recovery,
    MemoryQuota.Saved memory,
    TreeMap<Long, InitialPose> initialPoses,
    PackedMap knownMap) {

  /** Name of the dispatcher's part of a checkpoint. */
  public static final String PART = CheckpointCoordinator.PART;

  /**
   * Returns the reading filter in a run's state.
   *
   * @throws IOException if the state has no such part, or was written by another version of the
   *     program
   */
  public static ReadingFilter filter(RunState state) throws IOException {
    return state.read(PART, SavedReadings.class).readingFilter();
  }

  /** Returns the part for a run that was processed by one thread, without a dispatcher. */
  public static Object part(ReadingFilter filter) {
    return nothing(filter, null);
  }

  /** Returns the part for a run of which only the filter's state and the map are known. */
  static SavedReadings nothing(ReadingFilter filter, PackedMap knownMap) {
    return new SavedReadings(
        filter,
        new long[0],
        false,
        RecoveryReport.NONE,
        MemoryQuota.Saved.NOTHING,
        new TreeMap<>(),
        knownMap);
  }
}
