package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.cartostream.broker.Version;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.Cut;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.Part;
import org.cartostream.checkpoint.RunState;
import org.cartostream.checkpoint.SharedParts;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
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
public record EarlierRun(RunState state) {

  /**
   * The run that {@code --continue} names.
   *
   * @param file null for none
   * @param localises true if the robot is to be found in a map
   * @throws ExitException if the file has none
   */
  public static Optional<EarlierRun> of(Path file, boolean localises) {
    if (file == null) {
      return Optional.empty();
    }
    if (localises) {
      throw ExitException.wrongUsage(
          "--continue and --localise: a run makes its map, or is found in one");
    }
    try {
      return Optional.of(new EarlierRun(RunState.open(file)));
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  /**
   * Nothing, if the state lies elsewhere: it would be replaced in a run's own folder.
   *
   * @throws ExitException if it lies there
   */
  public void requireElsewhere(Path folder) {
    Path parent = state.file().toAbsolutePath().normalize().getParent();
    if (parent.equals(folder.toAbsolutePath().normalize())) {
      throw ExitException.wrongUsage(
          "the output folder '%s' holds the state '%s'; --out DIR names another"
              .formatted(folder, state.file()));
    }
  }

  /** True if a service had it. */
  private boolean isOfService() {
    return state.manifest().parts().stream().anyMatch(part -> part.name().equals(SavedPaths.PART));
  }

  /** The robot's id. */
  public String robot() {
    String run = state.manifest().cut().run();
    return isOfService() ? run.replaceFirst(RunCheckpoints.OF_A_SERVICE + "$", "") : run;
  }

  /** As the setting has it. */
  public String seed() {
    return state.manifest().identity().get("seed");
  }

  /** Number of the latest reading. */
  public long reading() {
    return state.manifest().cut().reading();
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

  /**
   * Stores its state where a service looks for that of another run, which so goes on with it, in
   * the place of what is there of the robot's earlier runs.
   *
   * @param store the service's
   * @param run number of the other run
   * @throws IOException if it cannot be read or stored, or is of another version of the program
   */
  public void goOnAs(CheckpointStore store, long run, ServiceSettings settings) throws IOException {
    state.manifest().checkIdentity(settings.identity(false));
    Run begun = new Run(robot(), run, 0);
    if (isOfService()) {
      state.copyTo(store, TaskCheckpoints.name(begun));
    } else {
      store(store, TaskCheckpoints.name(begun), settings);
    }
    TaskCheckpoints.deleteEarlierRuns(store, begun);
  }

  private void store(CheckpointStore store, String name, ServiceSettings settings)
      throws IOException {
    SerialFilter filter = ofOneThread().filter();
    MappingFilters filters = new MappingFilters(settings.filter());
    Map<String, Object> states = new TreeMap<>();
    states.put(SavedReadings.PART, SavedReadings.part(filter.readingFilter()));
    states.putAll(
        new SavedParticles<>(filter.partition(), filter.selector())
            .parts(settings, filters, reading()));
    states.put(
        SavedPaths.PART,
        new SavedPaths(
                filter.trajectoryTree(), filter.effectiveSampleSize(), filter.entropy(), null)
            .part(reading()));
    Cut cut = new Cut(name, state.manifest().cut().epoch(), reading());
    SharedParts shared = new SharedParts(store);
    List<Part> parts = new ArrayList<>();
    for (Map.Entry<String, Object> each : states.entrySet()) {
      StateCodec.Encoded encoded = StateCodec.encode(each.getValue(), 0);
      parts.addAll(shared.write(name, each.getKey(), encoded.contents()));
      parts.add(store.write(cut, each.getKey(), encoded.bytes()));
    }
    store.commit(new Manifest(cut, Version.current(), state.manifest().identity(), parts));
  }

  /**
   * The journal of a replay whose service goes on with it.
   *
   * @param location of the service's checkpoints
   */
  public Optional<RunJournal> journal(
      RunCheckpoints checkpoints, String location, RootSettings settings) {
    RunBeginning beginning = RunBeginning.behind(reading());
    try {
      goOnAs(CheckpointStore.at(location), beginning.run(), settings.service(settings.broker()));
    } catch (IOException e) {
      throw ExitException.of(e);
    }
    Optional<RunJournal> journal = checkpoints.journal(beginning);
    if (journal.isEmpty()) {
      throw ExitException.wrongUsage(
          "--continue: a service goes on from a checkpoint, and checkpoint.everySeconds is 0");
    }
    return journal;
  }

  /** The engine for a log with which a service goes on, and which must be what follows. */
  public Engine goingOn(Engine storm, BrokerSettings broker) {
    return (log, metrics, folder, request) ->
        storm.run(following(log, broker), metrics, folder, request);
  }

  private Iterator<LogEntry> following(Iterator<LogEntry> log, BrokerSettings broker)
      throws IOException {
    ReadingCodec codec = new ReadingCodec(broker, robot());
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
        SavedParticles.of(state, new MappingFilters(settings), robot());
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
