package org.cartostream.topology.dispatch;

import java.io.IOException;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.slam.preprocess.ReadingFilter;

/** Reads the state of a run's readings out of a service's checkpoint. */
public final class SavedReadings {

  /** Name of the part that has it. */
  public static final String PART = CheckpointCoordinator.PART;

  private SavedReadings() {}

  /**
   * What decides about the readings that come.
   *
   * @param part the content of {@link #PART}
   * @throws IOException if it is none, or of another version of the program
   */
  public static ReadingFilter filter(byte[] part) throws IOException {
    return StateCodec.decode(part, CheckpointCoordinator.Saved.class).readingFilter();
  }
}
