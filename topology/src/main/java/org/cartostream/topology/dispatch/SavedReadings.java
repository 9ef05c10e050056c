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
 * @param refused numbers after the checkpoint's reading that were refused before their turn
 * @param lagIsSaid true if the log has said that scans' stamps lag odometry
 * @param initialPoses what was said of where the robot is, with readings that were refused before
 *     their turn
 * @param knownMap that the robot is to be found in; null if it makes one
 */
public record SavedReadings(
    ReadingFilter readingFilter,
    long[] refused,
    boolean lagIsSaid,
    RecoveryReport recovery,
    MemoryQuota.Saved memory,
    TreeMap<Long, InitialPose> initialPoses,
    PackedMap knownMap) {

  /** Name of the part that has them. */
  public static final String PART = CheckpointCoordinator.PART;

  /**
   * Returns the reading filter.
   *
   * @throws IOException if the state has it not, or of another version of the program
   */
  public static ReadingFilter filter(RunState state) throws IOException {
    return state.read(PART, SavedReadings.class).readingFilter();
  }

  /** The part of a run that one thread had. */
  public static Object part(ReadingFilter filter) {
    return nothing(filter, null);
  }

  /** Returns the part of a run of which nothing but the filter's state is known. */
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
