package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.Cut;
import org.cartostream.run.checkpoint.ServiceCheckpoint;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * An occupancy grid that a mapping run begins with: a map whose run is not known any more, or was
 * another program's.
 *
 * @param file its YAML file
 * @param start where the robot is at first, in the map's frame
 */
record EarlierGrid(Path file, ServerMap map, Pose start) implements EarlierMap {

  /**
   * It counts as the run's first reading, on any engine. So what follows has no first one: a
   * service that does not find the grid misses that, and does not begin with an empty map instead.
   */
  static final long READING = 1;

  static EarlierGrid read(Path file, Optional<Pose> start) {
    if (start.isEmpty()) {
      throw ExitException.wrongUsage(
          "--continue %s: a map does not say where the robot is now; --at X,Y,YAW does"
              .formatted(file));
    }
    try {
      ServerMap map = ServerMap.read(file);
      map.requireFreePlace(start.get());
      return new EarlierGrid(file, map, start.get());
    } catch (IOException e) {
      throw ExitException.of(e);
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--at: " + e.getMessage(), e);
    }
  }

  @Override
  public List<Path> files() throws IOException {
    return List.of(file, ServerMap.picture(file));
  }

  @Override
  public Optional<String> robot() {
    return Optional.empty();
  }

  @Override
  public Optional<String> seed() {
    return Optional.empty();
  }

  @Override
  public long reading() {
    return READING;
  }

  @Override
  public void requireFit(FilterSettings settings) {
    startingMap(settings);
  }

  @Override
  public Optional<GridStart> start(RootSettings settings) {
    return Optional.of(new GridStart(map, start, settings));
  }

  private StartingMap startingMap(FilterSettings settings) {
    try {
      return StartingMap.of(map, start, settings.cellMetres());
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--continue " + file + ": " + e.getMessage(), e);
    }
  }

  /** That begins with it. */
  SerialFilter filter(FilterSettings settings, String robot) {
    return new SerialFilter(settings, robot, startingMap(settings));
  }

  @Override
  public void goOnAs(CheckpointStore store, String robot, long run, ServiceSettings settings)
      throws IOException {
    Run begun = new Run(robot, run, 0);
    Cut cut = new Cut(TaskCheckpoints.name(begun), 0, reading());
    new ServiceCheckpoint(filter(settings.filter(), robot), cut, settings.identity(false))
        .write(store, settings);
    TaskCheckpoints.deleteEarlierRuns(store, begun);
  }

  /** Any log may follow. */
  @Override
  public Engine goingOn(Engine storm, BrokerSettings broker) {
    return storm;
  }
}
