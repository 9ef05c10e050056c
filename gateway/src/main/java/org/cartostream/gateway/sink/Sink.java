package org.cartostream.gateway.sink;

import java.io.IOException;
import java.util.List;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.PathPose;

/** Receiver of the maps and the path of a run. One thread calls it. */
public interface Sink {

  /** The newest map while the run goes on. */
  void map(OccupancyGrid map) throws IOException;

  /** The last map and the whole path of the best particle, in the order of the log. */
  void end(OccupancyGrid map, List<PathPose> path) throws IOException;

  /** The whole path, in the order of the log, of a run that has no last map. */
  void end(List<PathPose> path) throws IOException;
}
