package org.cartostream.run;

import java.io.IOException;
import java.util.Optional;
import org.cartostream.gateway.carried.GlobalLocalisation;
import org.cartostream.gateway.live.RunStartSearch;
import org.cartostream.run.engine.PriorMap;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Search for a live robot in the map that its run continues; when it is found, the service gets the
 * map with the robot's pose.
 */
final class LiveGlobalLocalisation implements RunStartSearch {

  /** Receiver of the map and pose with which the service continues. */
  interface Service {
    /**
     * @param map the map to continue, with the robot's pose at the run's beginning
     * @param run number of the run
     */
    void give(PriorMap map, long run);
  }

  private static final Logger LOG = LoggerFactory.getLogger(LiveGlobalLocalisation.class);

  /**
   * Driven distance within which a robot is found in its map at least 9 times out of 10, metres.
   */
  private static final int FOUND_METRES = 20;

  private final PriorMap map;
  private final RootSettings settings;
  private final Service service;
  private final String name;

  /**
   * The drawn map; null before the first question, since a resumed run needs no search if it had
   * begun.
   */
  private PriorMap.Drawn drawn;

  /** The search in the drawn map; null while {@link #drawn} is null. */
  private GlobalLocalisation search;

  /**
   * Latest free pose to which the robot was followed back, where the run can begin; empty before.
   */
  private Optional<Pose> beginning = Optional.empty();

  private boolean isLooking;

  LiveGlobalLocalisation(PriorMap map, RootSettings settings, Service service) {
    this.map = map;
    this.settings = settings;
    this.service = service;
    this.name = map.file().toString();
  }

  /** Returns true while the search goes on: from its first use until the run begins. */
  boolean isLooking() {
    return isLooking;
  }

  private GlobalLocalisation search() {
    isLooking = true;
    try {
      if (search == null) {
        drawn = map.drawn();
        search = drawn.search(settings);
      }
      return search;
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  @Override
  public String sentence() {
    int metres = (int) (search().drivenMetres() / FOUND_METRES) * FOUND_METRES;
    return metres == 0
        ? "looking for the robot in '%s' while it drives (--at anywhere)".formatted(name)
        : ("the robot was not found in '%s' within %d m of driving: if that is a map of this place,"
                + " --at X,Y,YAW says where it is; still looking")
            .formatted(name, metres);
  }

  @Override
  public boolean isFoundAt(Reading keyFrame) {
    return search().isFoundAt(keyFrame);
  }

  @Override
  public boolean followBack(Reading keyFrame) {
    search().followBack(keyFrame);
    Optional<Pose> place = search().place();
    beginning = place.or(() -> beginning);
    return place.isPresent();
  }

  @Override
  public void begin(long run) {
    Pose found = beginning.orElseGet(() -> PriorMap.Drawn.beginning(search()));
    service.give(drawn.at(found), run);
    LOG.warn("found: the run begins at {} in '{}'", GlobalLocalisation.numbers(found), name);
    isLooking = false;
    drawn = null; // It may be large.
    search = null;
  }
}
