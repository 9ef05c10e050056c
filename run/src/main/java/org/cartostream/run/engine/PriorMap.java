package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.initialpose.CarriedRobotSearch;
import org.cartostream.run.initialpose.GlobalLocalisation;
import org.cartostream.run.initialpose.InitialPoseCheck;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * A map that a mapping run continues: the state of the run that made it ({@link PriorRun}), or its
 * picture alone ({@link PriorGrid}).
 */
public sealed interface PriorMap permits PriorRun, PriorGrid {

  /**
   * Returns what {@code --continue} names.
   *
   * @throws ExitException if the file cannot be gone on with
   */
  static PriorMap of(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    boolean isGrid = name.endsWith(".yaml") || name.endsWith(".yml");
    return isGrid ? PriorGrid.read(file) : PriorRun.open(file);
  }

  /**
   * Returns the same map, with the robot where it ended.
   *
   * @throws ExitException if it does not say where that is
   */
  PriorMap unmoved();

  /**
   * Returns the same map, with the robot elsewhere.
   *
   * @param start where it is at first, in the map's frame
   * @throws ExitException if it cannot be there
   */
  PriorMap at(Pose start);

  /** Draws the map, to look for the robot in it. It takes time: a run's loops are closed. */
  Drawn drawn() throws IOException;

  /**
   * An earlier map, drawn as it was left: that of a run with its loops closed.
   *
   * @param placing gives the earlier map with the robot elsewhere, as {@link PriorMap#at}
   */
  record Drawn(Path file, ServerMap map, Function<Pose, PriorMap> placing) {

    /** Returns the map with the robot elsewhere, as {@link PriorMap#at}. */
    public PriorMap at(Pose start) {
      return placing.apply(start);
    }

    /**
     * Returns where a log begins in the map. The robot is looked for everywhere until it is found,
     * and from there followed back to the log's first reading.
     *
     * @throws ExitException if it is not found, or cannot have been where it is followed back to
     */
    public Pose beginning(Iterator<LogEntry> log, RootSettings settings) {
      GlobalLocalisation search = new GlobalLocalisation(map, settings);
      Deque<Reading> seen = new ArrayDeque<>(); // The newest first.
      boolean isFound = false;
      while (!isFound) {
        if (search.isGivenUp() || !log.hasNext()) {
          throw ExitException.failed(
              ("--at anywhere: the robot was not found in '%s' by the first %d readings; --at"
                      + " X,Y,YAW says where it is")
                  .formatted(file, seen.size()));
        }
        if (log.next() instanceof LogEntry.Usable usable) {
          seen.push(usable.reading());
          isFound = search.isFoundAt(usable.reading());
        }
      }
      seen.forEach(search::followBack);
      return search.beginning();
    }
  }

  /** The file that {@code --continue} names. */
  Path file();

  /** Returns what people should know of it. */
  default List<String> notes() throws IOException {
    return List.of();
  }

  /** All files that it is in. */
  List<Path> files() throws IOException;

  /** The robot's id, as which its run goes on; empty if that may be any. */
  Optional<String> robot();

  /** Returns the seed of the run that goes on, as the setting has it; empty if it may be any. */
  Optional<String> seed();

  /** Returns the origin from which the run continues, for people. */
  String origin();

  /** Number of the latest reading in it. */
  long reading();

  /**
   * Checks that a filter of these settings goes on with it.
   *
   * @throws ExitException if not
   */
  void requireFit(FilterSettings settings);

  /**
   * Checks that a service of these settings goes on with it.
   *
   * @throws IOException if it was a run of other settings
   * @throws ExitException if its cells are others
   */
  void checkIdentity(ServiceSettings settings) throws IOException;

  /**
   * A log with which a run goes on, of a robot that may have been carried since.
   *
   * @param first the log's first reading; empty if it has none
   */
  CarriedRobotSearch search(Iterator<LogEntry> log, Optional<Reading> first, RootSettings settings)
      throws IOException;

  /** The check of where the robot is said to be in it; empty if it knows that itself. */
  Optional<InitialPoseCheck> start(RootSettings settings);

  /**
   * A sentence if a log does not seem to begin where the robot is said to be.
   *
   * @param log from its beginning
   */
  default Optional<String> doubt(Iterator<LogEntry> log, RootSettings settings) {
    return start(settings).flatMap(check -> check.doubt(log));
  }

  /**
   * Stores it where a service looks for the state of a run, which so goes on with it, in the place
   * of what is there of the robot's earlier runs.
   *
   * @param store the service's
   * @param run number of the run
   * @throws IOException if it cannot be read or stored, or is of another version of the program
   */
  void resumeAs(CheckpointStore store, String robot, long run, ServiceSettings settings)
      throws IOException;

  /** The engine for a log with which a service goes on, and which must be what follows. */
  Engine resuming(Engine storm, BrokerSettings broker);

  /**
   * The journal of a replay whose service goes on with it.
   *
   * @param location of the service's checkpoints
   */
  default Optional<RunJournal> journal(
      RunCheckpoints checkpoints, String robot, String location, RootSettings settings) {
    RunBeginning beginning = RunBeginning.behind(reading());
    try {
      CheckpointStore store = CheckpointStore.at(location);
      resumeAs(store, robot, beginning.run(), settings.service(settings.broker()));
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
}
