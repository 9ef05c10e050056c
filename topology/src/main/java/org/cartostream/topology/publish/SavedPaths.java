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
 * @param tree the particles' trajectories
 * @param latestKeyFrame latest key frame in them; null if there is none
 */
public record SavedPaths(TrajectoryTree tree, Step latestKeyFrame) {

  /** Name of the checkpoint's part that contains the paths. */
  public static final String PART = TaskCheckpoints.partName(Component.Publisher.class, 0);

  /**
   * Returns the paths as a part of a service's checkpoint, for a run that was mapped in one thread.
   *
   * @param reading number of the run's latest reading
   */
  public Object part(long reading) {
    return new RunPublisher.Saved(
        new ParticleTrajectories(tree),
        latestKeyFrame,
        reading,
        new ResponseSender.Response[0],
        RunStatistics.Snapshot.NOTHING);
  }

  /**
   * Reads the paths of a saved state.
   *
   * @throws IOException if the state has no paths, or was written by another version of the program
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
