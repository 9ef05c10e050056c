package org.cartostream.gateway.sink;

import java.io.IOException;
import java.util.List;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.PathPose;

/** Receiver of the maps and the path of a run. One thread calls it. */
public interface Sink {

  /** Takes the newest map while the run goes on. */
  void map(OccupancyGrid map) throws IOException;

  /** Takes the last map and the whole path of the best particle, in the order of the log. */
  void end(OccupancyGrid map, List<PathPose> path) throws IOException;

  /** Takes the whole path, in the order of the log, of a run without a last map. */
  void end(List<PathPose> path) throws IOException;
}
