package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.Cut;
import org.cartostream.checkpoint.RunState;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.checkpoint.ServiceCheckpoint;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.mapping.MappingFilters;
import org.cartostream.slam.mapping.ParticleMap;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.dispatch.SavedReadings;
import org.cartostream.topology.match.SavedParticles;
import org.cartostream.topology.publish.SavedPaths;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * A mapping run that has left its state, of one thread or of a service: what another run, of either
 * kind, goes on with, and its path.
 */
record EarlierRun(RunState state) implements EarlierMap {

  static EarlierRun open(Path file, Optional<Pose> start) {
    if (start.isPresent()) {
      throw ExitException.wrongUsage(
          "--at: '%s' says where the robot is, as no map (YAML) does".formatted(file));
    }
    try {
      return new EarlierRun(RunState.open(file));
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  @Override
  public List<Path> files() {
    return List.of(state.file());
  }

  /** True if a service had it. */
  private boolean isOfService() {
    return state.manifest().parts().stream().anyMatch(part -> part.name().equals(SavedPaths.PART));
  }

  @Override
  public Optional<String> robot() {
    String run = state.manifest().cut().run();
    return Optional.of(
        isOfService() ? run.replaceFirst(RunCheckpoints.OF_A_SERVICE + "$", "") : run);
  }

  @Override
  public Optional<String> seed() {
    return Optional.ofNullable(state.manifest().identity().get("seed"));
  }

  @Override
  public long reading() {
    return state.manifest().cut().reading();
  }

  /** That is known when the state is read: it has all settings of its filter. */
  @Override
  public void requireFit(FilterSettings settings) {}

  /** It knows where the robot is, and which log it has a part of. */
  @Override
  public Optional<String> doubt(Iterator<LogEntry> log, RootSettings settings) {
    return Optional.empty();
  }

  /** The best path, with its loops open. */
  RecordedPath path() throws IOException {
    return isOfService()
        ? SavedPaths.of(state).tree().bestPath()
        : ofOneThread().filter().trajectoryTree().bestPath();
  }

  /**
   * All that it was in the end.
   *
   * @throws IOException if the file has it not, or that of another version of the program
   */
  SerialEngine.State end(FilterSettings settings) throws IOException {
    return isOfService() ? ofService(settings) : ofOneThread();
  }

  @Override
  public void goOnAs(CheckpointStore store, String robot, long run, ServiceSettings settings)
      throws IOException {
    state.manifest().checkIdentity(settings.identity(false));
    Run begun = new Run(robot, run, 0);
    String name = TaskCheckpoints.name(begun);
    if (isOfService()) {
      state.copyTo(store, name);
    } else {
      Cut cut = new Cut(name, state.manifest().cut().epoch(), reading());
      new ServiceCheckpoint(ofOneThread().filter(), cut, state.manifest().identity())
          .write(store, settings);
    }
    TaskCheckpoints.deleteEarlierRuns(store, begun);
  }

  @Override
  public Engine goingOn(Engine storm, BrokerSettings broker) {
    return (log, metrics, folder, request) ->
        storm.run(following(log, broker), metrics, folder, request);
  }

  private Iterator<LogEntry> following(Iterator<LogEntry> log, BrokerSettings broker)
      throws IOException {
    ReadingCodec codec = new ReadingCodec(broker, robot().orElseThrow());
    LogPart part = log();
    List<LogEntry> head = new ArrayList<>();
    while (log.hasNext()) {
      LogEntry entry = log.next();
      head.add(entry);
      if (entry instanceof LogEntry.Usable first) {
        if (part.beginsWith(codec.encode(part.before() + 1, first.reading()))) {
          throw new CheckpointException(
              "the state has the first %d readings of this log already: a service goes on with what follows them; --engine serial passes them over"
                  .formatted(reading() - part.before()));
        }
        part.requireFollowedBy(first.reading());
        break;
      }
    }
    return joined(head.iterator(), log);
  }

  /** A log of which the head was looked at already. */
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

  private LogPart log() throws IOException {
    return isOfService() ? behind(SavedPaths.of(state).latestKeyFrame()) : ofOneThread().log();
  }

  private LogPart behind(Step latest) {
    return latest == null
        ? LogPart.begun(reading())
        : LogPart.behind(reading(), latest.stampNanos(), latest.scan().mount());
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
            SavedReadings.filter(state),
            particles.partition(),
            particles.selector(),
            paths.tree(),
            paths.effectiveSampleSize(),
            paths.entropy());
    return new SerialEngine.State(filter, new ArrayList<>(), behind(paths.latestKeyFrame()));
  }
}
