package org.cartostream.run.engine;

import java.io.IOException;
import java.util.List;
import org.cartostream.gateway.sink.Sink;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.PathPose;

/**
 * Sink that drops maps and paths until a run's first reading. For a run that is interrupted before
 * that, a service sends an empty map and path, which must not replace an older run's files. Shows
 * the final map and path to the run's observer.
 *
 * @param files receives the maps and paths of a run that has begun
 * @param runMetrics metrics with the number of readings and the run's observer
 */
record SinkAfterFirstReading(Sink files, RunMetrics runMetrics) implements Sink {

  private boolean begun() {
    return runMetrics.snapshot().readings().read() > 0;
  }

  @Override
  public void map(OccupancyGrid map) throws IOException {
    if (begun()) {
      files.map(map);
    }
  }

  @Override
  public void end(OccupancyGrid map, List<PathPose> path) throws IOException {
    if (begun()) {
      files.end(map, path);
      runMetrics.observer().result(map, path);
    }
  }

  @Override
  public void end(List<PathPose> path) throws IOException {
    if (begun()) {
      files.end(path);
    }
  }
}
