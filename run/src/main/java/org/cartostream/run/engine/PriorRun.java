package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.checkpoint.CheckpointId;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.RunState;
import org.cartostream.gateway.carried.CarriedRobotSearch;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.checkpoint.ServiceCheckpoint;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.initialpose.InitialPoseCheck;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.mapping.MappingFilters;
import org.cartostream.slam.mapping.ParticleMap;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.dispatch.SavedReadings;
import org.cartostream.topology.match.SavedParticles;
import org.cartostream.topology.publish.SavedPaths;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * The saved state of a mapping run, with which another run continues. Each of the two runs may use
 * the serial engine or a service.
 *
 * @param relocated pose to which the robot was carried since the run's end; empty if it was not
 *     moved
 */
record PriorRun(RunState state, Optional<Relocated> relocated) implements PriorMap {

  /**
   * Pose of a robot that was carried since the run's end, in the run's map and in the filter's
   * frame. The two differ by the closing of loops, which changes the map that is drawn but not the
   * filter.
   *
   * @param map the run's map with loops closed
   * @param start the robot's pose in the frame of that map
   * @param local the robot's pose in the filter's frame
   */
  record Relocated(ServerMap map, Pose start, Pose local) {

    /**
     * Converts a pose in the closed map into the filter's frame. Closing loops moves each part of
     * the map by another transform; the one of the nearest pose on the path is used.
     *
     * @param before the run's path before loops are closed
     * @param after the run's path with loops closed
     * @param map drawn along {@code after}
     */
    private static Relocated to(
        Pose start, List<PathPose> before, List<PathPose> after, ServerMap map) {
      try {
        map.requireFreePlace(start);
      } catch (IllegalArgumentException e) {
        throw ExitException.wrongUsage("--at: " + e.getMessage(), e);
      }
      int nearest = 0;
      for (int i = 1; i < after.size(); i++) {
        if (after.get(i).pose().distance(start) < after.get(nearest).pose().distance(start)) {
          nearest = i;
        }
      }
      Pose there = after.get(nearest).pose().to(start);
      return new Relocated(map, start, before.get(nearest).pose().then(there));
    }
  }

  /** Opens a saved run whose robot was not moved since its end. */
  static PriorRun of(Path file) throws IOException {
    return new PriorRun(RunState.open(file), Optional.empty());
  }

  static PriorRun open(Path file) {
    try {
      return of(file);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  @Override
  public PriorRun unmoved() {
    return this;
  }

  @Override
  public PriorMap at(Pose start) {
    try {
      return drawn().at(start);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  @Override
  public Drawn drawn() throws IOException {
    RecordedPath open = path();
    List<PathPose> before = open.path();
    if (before.isEmpty()) {
      throw ExitException.wrongUsage("--at: the run that left '%s' has no map".formatted(file()));
    }
    RecordedPath closed = open.withLoopsClosed();
    List<PathPose> after = closed.path();
    ServerMap map = map(closed);
    return new Drawn(
        file(),
        map,
        start -> new PriorRun(state, Optional.of(Relocated.to(start, before, after, map))));
  }

  /** Returns the run's map with loops closed. */
  ServerMap map() throws IOException {
    return map(path().withLoopsClosed());
  }

  private ServerMap map(RecordedPath closed) throws IOException {
    return ServerMap.of(closed.map().grid(), file());
  }

  @Override
  public Path file() {
    return state.file();
  }

  @Override
  public List<Path> files() {
    return List.of(file());
  }

  /** Returns true if the state was saved by a service. */
  private boolean isOfService() {
    return state.manifest().parts().stream().anyMatch(part -> part.name().equals(SavedPaths.PART));
  }

  @Override
  public Optional<String> robot() {
    String run = state.manifest().id().run();
    return Optional.of(
        isOfService() ? run.replaceFirst(RunCheckpoints.OF_A_SERVICE + "$", "") : run);
  }

  @Override
  public Optional<String> seed() {
    return Optional.ofNullable(state.manifest().identity().get("seed"));
  }

  @Override
  public String origin() {
    return state.manifest().place() + " (" + file() + ")";
  }

  @Override
  public long reading() {
    return state.manifest().id().reading();
  }

  /**
   * Checks nothing: the state contains all settings of its filter, which are compared when it is
   * read.
   */
  @Override
  public void requireFit(FilterSettings settings) {}

  @Override
  public void checkIdentity(ServiceSettings settings) throws IOException {
    state.manifest().checkIdentity(settings.identity(false));
  }

  @Override
  public Optional<InitialPoseCheck> start(RootSettings settings) {
    return relocated.map(to -> new InitialPoseCheck(to.map(), to.start(), settings));
  }

  /**
   * Compares the log's beginning with the run's last scans, unless the robot's pose was stated, or
   * the saved run has a part of this log already.
   */
  @Override
  public CarriedRobotSearch search(
      Optional<Reading> first, RootSettings settings, boolean isLive, Consumer<String> notices)
      throws IOException {
    ReadingCodec codec = new ReadingCodec(settings.broker(), robot().orElseThrow());
    LogFingerprint known = log();
    boolean isSame =
        first.filter(it -> known.beginsWith(codec.encode(known.before() + 1, it))).isPresent();
    RecordedPath path = path();
    RayTracedMap map = isSame ? new RayTracedMap(settings.slam().cellMetres()) : path.map();
    CarriedRobotSearch search =
        new CarriedRobotSearch(settings.slam(), settings.localisation(), map, isLive, notices);
    if (relocated.isEmpty() && !isSame) {
      ReadingFilter filter =
          isOfService() ? SavedReadings.filter(state) : ofOneThread().filter().readingFilter();
      search.resume(filter, path);
    }
    return search;
  }

  /** Returns the best particle's path before loops are closed. */
  RecordedPath path() throws IOException {
    return isOfService()
        ? SavedPaths.of(state).tree().bestPath()
        : ofOneThread().filter().trajectoryTree().bestPath();
  }

  /**
   * Returns the filter's state at the run's end, with the robot at its new pose if it was carried.
   *
   * @throws IOException if the file lacks the state, or was written by another version of the
   *     program
   */
  SerialEngine.State end(FilterSettings settings) throws IOException {
    SerialEngine.State end = isOfService() ? ofService(settings) : ofOneThread();
    relocated.ifPresent(
        to -> end.filter().relocate(InitialPose.At.pointedAt(to.local()), settings));
    return end;
  }

  @Override
  public void resumeAs(CheckpointStore store, String robot, long run, ServiceSettings settings)
      throws IOException {
    checkIdentity(settings);
    Run begun = new Run(robot, run, 0);
    String name = TaskCheckpoints.name(begun);
    if (isOfService() && relocated.isEmpty()) {
      state.copyTo(store, name);
    } else {
      CheckpointId id = new CheckpointId(name, state.manifest().id().epoch(), reading());
      SerialFilter filter = end(settings.filter()).filter();
      new ServiceCheckpoint(filter, id, state.manifest().identity()).write(store, settings);
    }
    TaskCheckpoints.deleteEarlierRuns(store, begun);
  }

  @Override
  public Engine resuming(Engine storm, BrokerSettings broker) {
    return (log, metrics, folder, request) ->
        storm.run(following(log, broker), metrics, folder, request);
  }

  private Iterator<LogEntry> following(Iterator<LogEntry> log, BrokerSettings broker)
      throws IOException {
    ReadingCodec codec = new ReadingCodec(broker, robot().orElseThrow());
    LogFingerprint known = log();
    List<LogEntry> head = new ArrayList<>();
    while (log.hasNext()) {
      LogEntry entry = log.next();
      head.add(entry);
      if (entry instanceof LogEntry.Usable first) {
        if (known.beginsWith(codec.encode(known.before() + 1, first.reading()))) {
          throw new CheckpointException(
              ("the state has the first %d readings of this log already: a service goes on with"
                      + " what follows them; --engine serial passes them over")
                  .formatted(reading() - known.before()));
        }
        known.requireFollowedBy(first.reading());
        break;
      }
    }
    return joined(head.iterator(), log);
  }

  /** Joins two iterators into one log: the entries that were taken out already, and the rest. */
  static Iterator<LogEntry> joined(Iterator<LogEntry> head, Iterator<LogEntry> rest) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return head.hasNext() || rest.hasNext();
      }

      @Override
      public LogEntry next() {
        return head.hasNext() ? head.next() : rest.next();
      }
    };
  }

  private LogFingerprint log() throws IOException {
    return isOfService() ? behind(SavedPaths.of(state).latestKeyFrame()) : ofOneThread().log();
  }

  private LogFingerprint behind(Step latest) {
    return latest == null
        ? LogFingerprint.begun(reading())
        : LogFingerprint.behind(reading(), latest.stampNanos(), latest.scan().mount());
  }

  private SerialEngine.State ofOneThread() throws IOException {
    return state.read(RunCheckpoints.PART, SerialEngine.State.class);
  }

  private SerialEngine.State ofService(FilterSettings settings) throws IOException {
    SavedPaths paths = SavedPaths.of(state);
    SavedParticles<ParticleMap> particles =
        SavedParticles.of(state, new MappingFilters(settings), robot().orElseThrow());
    SerialFilter filter =
        new SerialFilter(
            SavedReadings.filter(state), particles.partition(), particles.selector(), paths.tree());
    return new SerialEngine.State(filter, new ArrayList<>(), behind(paths.latestKeyFrame()));
  }
}
