package org.cartostream.topology.dispatch;

import java.io.IOException;
import org.cartostream.checkpoint.RunState;
import org.cartostream.slam.preprocess.ReadingFilter;

/** Reads the state of a run's readings out of a service's checkpoint. */
public final class SavedReadings {

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
}
