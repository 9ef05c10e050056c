package org.cartostream.topology.publish;

import java.io.IOException;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.task.Component;

/** The best path of a run in its service's checkpoint. */
public final class SavedPath {

  /** Name of the part that has it. */
  public static final String PART = TaskCheckpoints.partName(Component.Publisher.class, 0);

  private SavedPath() {}

  /**
   * The path, with its loops open.
   *
   * @param part the content of {@link #PART}
   * @throws IOException if it is none, or of another version of the program
   */
  public static RecordedPath of(byte[] part) throws IOException {
    return StateCodec.decode(part, RunPublisher.Saved.class).paths().bestPath();
  }
}
