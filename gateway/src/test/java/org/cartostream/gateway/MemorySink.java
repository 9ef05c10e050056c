package org.cartostream.gateway;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.map.OccupancyGrid;

/** Keeps what it is given. */
final class MemorySink implements Sink {

  final List<OccupancyGrid> maps = new CopyOnWriteArrayList<>();
  volatile OccupancyGrid lastMap;
  volatile List<PathPose> path;

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
