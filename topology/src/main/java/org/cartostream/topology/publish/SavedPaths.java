package org.cartostream.topology.publish;

import java.io.IOException;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.checkpoint.RunState;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.response.ResponseSender;
import org.cartostream.topology.task.Component;

/**
 * The paths of a run's particles in its service's checkpoint.
 *
 * @param latestKeyFrame null if there is none
 */
public record SavedPaths(TrajectoryTree tree, Step latestKeyFrame) {

  /** Name of the part that has them. */
  public static final String PART = TaskCheckpoints.partName(Component.Publisher.class, 0);

  /** The part of a run that one thread had, whose latest reading has this number. */
  public Object part(long reading) {
    return new RunPublisher.Saved(
        new ParticleTrajectories(tree),
        latestKeyFrame,
        reading,
        new ResponseSender.Response[0],
        RunStatistics.Snapshot.NOTHING);
  }

  /**
   * The paths in a state.
   *
   * @throws IOException if it has none, or of another version of the program
   */
  public static SavedPaths of(RunState state) throws IOException {
    RunPublisher.Saved saved = state.read(PART, RunPublisher.Saved.class);
    if (!(saved.paths() instanceof ParticleTrajectories paths)) {
      throw new CheckpointException(
          "it is the state of a robot that was localised, which has made no map");
    }
    return new SavedPaths(paths.tree(), saved.latestKeyFrame());
  }
}
