package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.cartostream.checkpoint.RunState;
import org.cartostream.gateway.session.RobotLocalisation;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality.State;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.localisation.MonteCarloLocalisation.Result.Localised;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * A map that a robot is to be found in.
 *
 * @param map its YAML file, or the state of the run that made it ({@link RunState})
 * @param start where the robot is at first, in the map's frame; empty if nobody knows
 */
public record KnownPlace(Path map, Optional<Pose> start) {

  /** A robot is found where so many readings in a row are OK: the fit is a mean over some ten. */
  private static final int FOUND_READINGS = 10;

  /** So many readings are looked at: at two places that are alike it will not be found soon. */
  private static final int MOST_READINGS = 2_000;

  /** What a robot's messages to a service say of it. */
  public RobotLocalisation localisation(LocalisationSettings settings) throws IOException {
    ServerMap known = read();
    try {
      start.ifPresent(known::requireFreePlace);
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--at: " + e.getMessage(), e);
    }
    try {
      return new RobotLocalisation(known, settings, start);
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--localise " + map + ": " + e.getMessage(), e);
    }
  }

  /** What must be the same where a run goes on. */
  public Map<String, String> identity(LocalisationSettings settings) {
    Map<String, String> identity = ServiceSettings.identity(settings);
    identity.put("--localise", map.toString());
    identity.put("--at", start.map(Object::toString).orElse("anywhere"));
    return identity;
  }

  /** The files that the map is in. */
  public List<Path> files() throws IOException {
    return RunState.isOne(map) ? List.of(map) : List.of(map, ServerMap.picture(map));
  }

  /**
   * Where a log begins in the map. The robot is looked for everywhere until it is found, and from
   * there followed back to the log's first reading.
   *
   * @throws ExitException if it is not found
   */
  public Pose beginning(Iterator<LogEntry> log, RootSettings settings) throws IOException {
    ServerMap known = read();
    MonteCarloLocalisation anywhere = filter(known, Optional.empty(), settings);
    Deque<Reading> seen = new ArrayDeque<>(); // The newest first.
    Pose found = null;
    for (int row = 0; row < FOUND_READINGS; ) {
      if (seen.size() == MOST_READINGS || !log.hasNext()) {
        throw ExitException.failed(
            "--at anywhere: the robot was not found in '%s' by the first %d readings; --at X,Y,YAW says where it is"
                .formatted(map, seen.size()));
      }
      if (log.next() instanceof LogEntry.Usable usable) {
        seen.push(usable.reading());
        boolean isOk = false;
        if (anywhere.process(seen.size(), usable.reading()) instanceof Localised now) {
          found = now.pose();
          isOk = now.quality().state() == State.OK;
        }
        row = isOk ? row + 1 : 0;
      }
    }
    MonteCarloLocalisation back = filter(known, Optional.of(found), settings);
    long end = seen.getFirst().stampNanos();
    long number = 0;
    for (Reading each : seen) { // As if the robot drove backwards.
      Reading mirrored = new Reading(2 * end - each.stampNanos(), each.odometry(), each.scan());
      if (back.process(++number, mirrored) instanceof Localised now) {
        found = now.pose();
      }
    }
    return found;
  }

  private static MonteCarloLocalisation filter(
      ServerMap known, Optional<Pose> start, RootSettings settings) {
    return new MonteCarloLocalisation(
        settings.localisation(), settings.slam(), "robot", known, start);
  }

  /** As {@code --at} has it. */
  public static String numbers(Pose pose) {
    return String.format(Locale.ROOT, "%.2f,%.2f,%.2f", pose.x(), pose.y(), pose.theta());
  }

  /** Reads the map; that of a state is drawn, along the best path with its loops closed. */
  ServerMap read() throws IOException {
    return RunState.isOne(map)
        ? ServerMap.of(EarlierRun.of(map).path().withLoopsClosed().map().grid(), map)
        : ServerMap.read(map);
  }
}
