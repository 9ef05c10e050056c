package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.gateway.carried.CarriedRobotSearch;
import org.cartostream.gateway.carried.GlobalLocalisation;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.initialpose.InitialPoseCheck;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * Earlier map that a mapping run continues: the saved state of the run that made the map ({@link
 * PriorRun}), or only an occupancy grid ({@link PriorGrid}).
 */
public sealed interface PriorMap permits PriorRun, PriorGrid {

  /**
   * Opens the map that {@code --continue} names.
   *
   * @throws ExitException if no run can continue from the file
   */
  static PriorMap of(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    boolean isGrid = name.endsWith(".yaml") || name.endsWith(".yml");
    return isGrid ? PriorGrid.read(file) : PriorRun.open(file);
  }

  /**
   * Returns the map with the robot where the earlier run ended.
   *
   * @throws ExitException if the map does not contain that pose
   */
  PriorMap unmoved();

  /**
   * Returns the map with the robot at another pose.
   *
   * @param start the robot's initial pose in the map's frame
   * @throws ExitException if the pose is not in free space
   */
  PriorMap at(Pose start);

  /**
   * Draws the map, so that the robot can be searched for. This takes time, since a run's loops are
   * closed first.
   */
  Drawn drawn() throws IOException;

  /**
   * An earlier map as a grid; the map of a run is drawn with loops closed.
   *
   * @param placing returns the earlier map with the robot at a given pose, as {@link PriorMap#at}
   */
  record Drawn(Path file, ServerMap map, Function<Pose, PriorMap> placing) {

    /** Returns the earlier map with the robot at another pose, as {@link PriorMap#at}. */
    public PriorMap at(Pose start) {
      return placing.apply(start);
    }

    /**
     * Returns the robot's pose in the map at the beginning of a log. The robot is searched for in
     * the whole map until it is found, and then followed back to the log's first reading.
     *
     * @throws ExitException if the robot is not found, or cannot be followed back to a free place
     */
    public Pose beginning(Iterator<LogEntry> log, RootSettings settings) {
      GlobalLocalisation search = search(settings);
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
          isFound = search.isFoundAt(usable.reading());
          if (search.isNeeded()) {
            seen.push(usable.reading());
          }
        }
      }
      seen.forEach(search::followBack);
      return beginning(search);
    }

    /** Returns a search for a robot in the map. */
    public GlobalLocalisation search(RootSettings settings) {
      return new GlobalLocalisation(map, settings.localisation(), settings.slam());
    }

    /**
     * Returns the initial pose of a run whose robot was found and followed back, in the map's
     * frame: the robot's pose then, or a free place beside it, since the pose is exact to some
     * centimetres only.
     *
     * @throws ExitException if there is no free place, or the robot cannot be followed back
     */
    public static Pose beginning(GlobalLocalisation search) {
      return search
          .place()
          .orElseThrow(
              () ->
                  ExitException.failed(
                      "--at anywhere: %s; --at X,Y,YAW says where in the map a run begins"
                          .formatted(search.whyNoPlace())));
    }
  }

  /** Returns the file that {@code --continue} names. */
  Path file();

  /** Returns notes on the map for people. */
  default List<String> notes() throws IOException {
    return List.of();
  }

  /** Returns all files that contain the map. */
  List<Path> files() throws IOException;

  /** Returns the robot's id, which the continued run must keep; empty if any id will do. */
  Optional<String> robot();

  /**
   * Returns the seed that the continued run must keep, as text of the setting; empty if any seed
   * will do.
   */
  Optional<String> seed();

  /** Returns the origin from which the run continues, for people. */
  String origin();

  /** Returns the number of the latest reading in the map. */
  long reading();

  /**
   * Checks that a filter with these settings can continue the map.
   *
   * @throws ExitException if the filter cannot continue the map
   */
  void requireFit(FilterSettings settings);

  /**
   * Checks that a service with these settings can continue the map.
   *
   * @throws IOException if the map's run had other settings
   * @throws ExitException if the map's cells have another size
   */
  void checkIdentity(ServiceSettings settings) throws IOException;

  /**
   * Returns a search for a robot that may be carried, which draws its scans into this map, and asks
   * first whether it was carried since the map was made.
   *
   * @param first the log's first reading; empty if the log has none
   * @param notices receives sentences for people
   */
  CarriedRobotSearch search(
      Optional<Reading> first, RootSettings settings, boolean isLive, Consumer<String> notices)
      throws IOException;

  /** Returns a check of the robot's stated pose; empty if no pose was stated. */
  Optional<InitialPoseCheck> start(RootSettings settings);

  /**
   * Returns a warning for people if the log does not seem to begin at the stated pose; otherwise
   * empty.
   *
   * @param log the log, from its beginning
   */
  default Optional<String> doubt(Iterator<LogEntry> log, RootSettings settings) {
    return start(settings).flatMap(check -> check.doubt(log));
  }

  /**
   * Stores the map as a checkpoint from which the service continues, and deletes the checkpoints of
   * the robot's earlier runs.
   *
   * @param store the service's checkpoint store
   * @param run number of the new run
   * @throws IOException if the map cannot be read or stored, or another version of the program
   *     wrote it
   */
  void resumeAs(CheckpointStore store, String robot, long run, ServiceSettings settings)
      throws IOException;

  /**
   * Returns an engine that continues the map by a service, after checking that the log follows the
   * map.
   */
  Engine resuming(Engine storm, BrokerSettings broker);

  /**
   * Stores the map for the service; returns the journal of the replay that continues the map.
   *
   * @param location place of the service's checkpoints
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
