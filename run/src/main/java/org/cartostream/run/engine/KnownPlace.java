package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.cartostream.checkpoint.RunState;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.ServerMap;

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
        ? ServerMap.of(
            new EarlierRun(RunState.open(map)).path().withLoopsClosed().map().grid(), map)
        : ServerMap.read(map);
  }
}
