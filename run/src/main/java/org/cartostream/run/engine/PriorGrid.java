package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.checkpoint.CheckpointId;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.gateway.carried.CarriedRobotSearch;
import org.cartostream.run.checkpoint.ServiceCheckpoint;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.initialpose.InitialPoseCheck;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * An occupancy grid with which a mapping run begins: a map whose run was not saved, or was another
 * program's.
 *
 * @param file the grid's YAML file
 * @param start the robot's initial pose in the map's frame; empty if it has not been stated yet
 */
record PriorGrid(Path file, ServerMap map, Optional<Pose> start) implements PriorMap {

  /**
   * Reading number that stands for the grid: the log's readings begin at 2. So a service without
   * the grid notices that the first reading is missing, instead of beginning with an empty map.
   */
  static final long READING = 1;

  static PriorGrid read(Path file) {
    try {
      return new PriorGrid(file, ServerMap.read(file), Optional.empty());
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  @Override
  public PriorGrid unmoved() {
    throw ExitException.wrongUsage(
        ("--continue %s: a map does not say where the robot is now; --at X,Y,YAW does, and --at"
                + " anywhere looks for it")
            .formatted(file));
  }

  @Override
  public PriorGrid at(Pose where) {
    try {
      map.requireFreePlace(where);
      return new PriorGrid(file, map, Optional.of(where));
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--at: " + e.getMessage(), e);
    }
  }

  @Override
  public Drawn drawn() {
    return new Drawn(file, map, this::at);
  }

  @Override
  public List<String> notes() throws IOException {
    return ServerMap.notes(file);
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
  public String origin() {
    return "the map " + file;
  }

  @Override
  public long reading() {
    return READING;
  }

  @Override
  public void requireFit(FilterSettings settings) {
    try {
      StartingMap.requireSide(map, settings.cellMetres());
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--continue " + file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void checkIdentity(ServiceSettings settings) {
    requireFit(settings.filter());
  }

  @Override
  public Optional<InitialPoseCheck> start(RootSettings settings) {
    return start.map(where -> new InitialPoseCheck(map, where, settings));
  }

  @Override
  public CarriedRobotSearch search(
      Optional<Reading> first, RootSettings settings, boolean isLive, Consumer<String> notices) {
    double cellMetres = settings.slam().cellMetres();
    StartingMap begun = StartingMap.of(map, start.orElseThrow(), cellMetres);
    RayTracedMap map = begun.drawn(cellMetres, settings.slam().readingFilter().clearedMetres());
    return new CarriedRobotSearch(settings.slam(), settings.localisation(), map, isLive, notices);
  }

  /** Returns a filter that begins with the grid. */
  SerialFilter filter(FilterSettings settings, String robot) {
    StartingMap begun = StartingMap.of(map, start.orElseThrow(), settings.cellMetres());
    return new SerialFilter(settings, robot, begun);
  }

  @Override
  public void resumeAs(CheckpointStore store, String robot, long run, ServiceSettings settings)
      throws IOException {
    checkIdentity(settings);
    Run begun = new Run(robot, run, 0);
    CheckpointId id = new CheckpointId(TaskCheckpoints.name(begun), 0, reading());
    new ServiceCheckpoint(filter(settings.filter(), robot), id, settings.identity(false))
        .write(store, settings);
    TaskCheckpoints.deleteEarlierRuns(store, begun);
  }

  /** Returns the engine unchanged, for any log may follow a grid. */
  @Override
  public Engine resuming(Engine storm, BrokerSettings broker) {
    return storm;
  }
}
