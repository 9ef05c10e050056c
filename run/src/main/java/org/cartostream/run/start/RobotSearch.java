package org.cartostream.run.start;

import java.util.Optional;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality.State;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.localisation.MonteCarloLocalisation.Result.Localised;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;

/**
 * Search for a robot that may be anywhere in a map, by its readings one by one: until it is found,
 * and then back, to where it was at the first of them. One seed gives one pose. Not thread-safe.
 */
public final class RobotSearch {

  /** A robot is found where so many readings in a row are OK: the fit is a mean over some ten. */
  private static final int FOUND_READINGS = 10;

  /** Of a log so many are looked at: at two places that are alike it will not be found soon. */
  public static final int MOST_READINGS = 2_000;

  private final ServerMap map;
  private final RootSettings settings;
  private final MonteCarloLocalisation anywhere;
  private long readings;
  private int found;

  /** The latest; null before the first. */
  private Pose pose;

  /** Follows the robot back from where it was found; null before. */
  private MonteCarloLocalisation back;

  private long turnNanos;
  private long followed;

  public RobotSearch(ServerMap map, RootSettings settings) {
    this.map = map;
    this.settings = settings;
    this.anywhere = filter(map, Optional.empty(), settings);
  }

  static MonteCarloLocalisation filter(ServerMap map, Optional<Pose> start, RootSettings settings) {
    return new MonteCarloLocalisation(
        settings.localisation(), settings.slam(), "robot", map, start);
  }

  /** Takes the next reading; true if the robot is found at it. */
  public boolean isFoundAt(Reading reading) {
    boolean isOk = false;
    if (anywhere.process(++readings, reading) instanceof Localised now) {
      pose = now.pose();
      isOk = now.quality().state() == State.OK;
    }
    found = isOk ? found + 1 : 0;
    return found >= FOUND_READINGS && isNoWall(pose);
  }

  private boolean isNoWall(Pose at) {
    int cell = map.cellOf(at);
    return cell >= 0 && !map.isOccupied(cell);
  }

  /**
   * Follows the robot that was found, as if it drove backwards.
   *
   * @param reading at first the one at which it was found, then the one before that, and so on
   */
  public void followBack(Reading reading) {
    if (back == null) {
      back = filter(map, Optional.of(pose), settings);
      turnNanos = reading.stampNanos();
    }
    long mirrored = 2 * turnNanos - reading.stampNanos();
    Reading backwards = new Reading(mirrored, reading.odometry(), reading.scan());
    if (back.process(++followed, backwards) instanceof Localised now) {
      pose = now.pose();
    }
  }

  /** In the map's frame: where the robot is, or was at the reading to which it was followed. */
  public Pose pose() {
    return pose;
  }

  /** How far the robot has driven since the first reading, metres. */
  public double drivenMetres() {
    return anywhere.drivenMetres();
  }
}
