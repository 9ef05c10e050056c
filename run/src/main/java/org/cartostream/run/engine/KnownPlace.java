package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.Part;
import org.cartostream.checkpoint.RunState;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.publish.SavedPath;

/**
 * A map that a robot is to be found in.
 *
 * @param map its YAML file, or the state of the run that made it ({@link RunState})
 * @param start where the robot is at first, in the map's frame; empty if nobody knows
 */
public record KnownPlace(Path map, Optional<Pose> start) {

  /** The files that the map is in. */
  public List<Path> files() throws IOException {
    return RunState.isOne(map) ? List.of(map) : List.of(map, ServerMap.picture(map));
  }

  /** Reads the map; that of a state is drawn, along the best path with its loops closed. */
  ServerMap read() throws IOException {
    return RunState.isOne(map)
        ? ServerMap.of(path(RunState.open(map)).withLoopsClosed().map().grid(), map)
        : ServerMap.read(map);
  }

  private static RecordedPath path(RunState state) throws IOException {
    Manifest manifest = state.manifest();
    boolean isOfService =
        manifest.parts().stream().map(Part::name).anyMatch(SavedPath.PART::equals);
    return isOfService
        ? SavedPath.of(state.read(SavedPath.PART))
        : StateCodec.decode(state.read(RunCheckpoints.PART), SerialEngine.State.class)
            .filter()
            .trajectoryTree()
            .bestPath();
  }
}
