package org.cartostream.gateway;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cartostream.gateway.sink.Sink;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.PathPose;

/** Keeps what it is given. */
public final class MemorySink implements Sink {

  public final List<OccupancyGrid> maps = new CopyOnWriteArrayList<>();
  public volatile OccupancyGrid lastMap;
  public volatile List<PathPose> path;

  @Override
  public void map(OccupancyGrid map) {
    maps.add(map);
  }

  @Override
  public void end(OccupancyGrid map, List<PathPose> wholePath) {
    lastMap = map;
    path = wholePath;
  }

  @Override
  public void end(List<PathPose> wholePath) {
    path = wholePath;
  }
}
