package org.cartostream.web.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.cartostream.broker.message.Outcome;
import org.cartostream.settings.Settings;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.web.observer.RunObserver;

/** The log of the office, mapped step by step as a test asks for it. Owns the filter. */
final class OfficeRun implements AutoCloseable {

  private static final Path LOG =
      Path.of(System.getProperty("cartostream.root", "..")).resolve("datasets/office.clf");

  private final SerialFilter filter =
      new SerialFilter(Settings.build(FilterSettings.class, Map.of("particles", "3")), "office");
  private final LaserLog log = CarmenLog.open(LOG, CarmenSettings.defaults());
  private final RunObserver observer;
  private long taken;
  private Reading latest;

  OfficeRun(RunObserver observer) throws IOException {
    this.observer = observer;
    observer.begin("office", log.scanCount());
  }

  /** Takes so many readings, and draws the map then. */
  OccupancyGrid take(int readings) throws IOException {
    for (int i = 0; i < readings && log.hasNext(); i++) {
      latest = ((LogEntry.Usable) log.next()).reading();
      SerialFilter.Result.Processed result =
          (SerialFilter.Result.Processed) filter.process(++taken, latest);
      observer.outcome(
          taken,
          latest,
          new Outcome.Processed(
              new RobotPose(
                  result.pose().local(),
                  result.pose().correction(),
                  result.pose().effectiveSampleSize(),
                  result.pose().entropy()),
              result.searched(),
              5_000_000));
    }
    OccupancyGrid map = filter.trajectoryTree().bestPath().map().grid();
    observer.map(map, 0, latest.stampNanos());
    return map;
  }

  /** Of the reading that was taken last. */
  long stampNanos() {
    return latest.stampNanos();
  }

  /** Ends the run; returns its last map. */
  OccupancyGrid end() {
    RecordedPath closed = filter.trajectoryTree().bestPath().withLoopsClosed();
    List<PathPose> path = closed.path();
    OccupancyGrid map = closed.map().grid();
    observer.loops(closed.loops(), latest.stampNanos());
    observer.result(map, path);
    observer.end("");
    return map;
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
