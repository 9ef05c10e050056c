package org.cartostream.topology.dispatch;

import java.io.IOException;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.checkpoint.RunState;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.topology.memory.MemoryQuota;

/** Reads the state of a run's readings out of a service's checkpoint, and makes one. */
public final class SavedReadings {

  /** Name of the part that has them. */
  public static final String PART = CheckpointCoordinator.PART;

  private SavedReadings() {}

  /**
   * What decides about the readings that come.
   *
   * @throws IOException if the state has it not, or of another version of the program
   */
  public static ReadingFilter filter(RunState state) throws IOException {
    return state
        .read(CheckpointCoordinator.PART, CheckpointCoordinator.Saved.class)
        .readingFilter();
  }

  /** The part of a run that one thread had. */
  public static Object part(ReadingFilter filter) {
    return new CheckpointCoordinator.Saved(
        filter, new long[0], false, RecoveryReport.NONE, MemoryQuota.Saved.NOTHING, null);
  }
}
