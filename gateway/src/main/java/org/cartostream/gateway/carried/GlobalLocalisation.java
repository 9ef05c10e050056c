package org.cartostream.gateway.carried;

import java.util.Locale;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationFilters;
import org.cartostream.slam.localisation.LocalisationQuality.State;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.localisation.MonteCarloLocalisation.Result.Localised;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;

/**
 * Search for a robot that may be anywhere in a map, by its readings one by one. Once it is found,
 * its pose at the first reading is computed backwards. One seed gives one pose. Not thread-safe.
 *
 * <p>The robot is followed back while the map covers its path, until its pose jumps. Beyond the
 * jump, the filter may report OK at a wrong place that looks alike: in a part of the office log for
 * more than a hundred readings, up to 12 m off. So no pose is known before the jump, even if the
 * robot had been in the map earlier, and a run never begins there.
 */
public final class GlobalLocalisation {

  /**
   * Number of OK weighings in a row by which a robot is found. The fit is a mean over some ten
   * weighings. Weighings are counted, not readings, since several readings at one place tell no
   * more than one.
   */
  private static final int FOUND_WEIGHINGS = 10;

  /** Maximum number of weighings of a search, which may not end where two places look alike. */
  private static final int MAX_WEIGHINGS = 2_000;

  /**
   * Number of first readings that are all needed. Of later ones those without a weighing are not,
   * so that a robot that stands fills no memory.
   */
  private static final int NEEDED_READINGS = 20_000;

  /**
   * Maximum distance between a pose and the free place used in its stead, metres. A run's first
   * scan is searched for within a metre of the stated pose, so the true pose is still found.
   */
  private static final double BESIDE_METRES = 0.5;

  /**
   * Minimum difference between a pose and odometry's prediction that is a jump, metres. In the
   * office log, the difference is at most 0.09 m and 0.03 rad inside the map, and at least 0.87 m
   * where the map ends.
   */
  private static final double JUMP_METRES = 0.5;

  private static final double JUMP_RADIANS = Math.toRadians(30);

  /** Name by which all searches draw the same random numbers. */
  public static final String ROBOT = "robot";

  private final ServerMap map;
  private final FilterSettings slam;

  /**
   * The map as filters use it: derived once, as {@link #beside} may be called for many readings.
   */
  private final LocalisationFilters filters;

  private final MonteCarloLocalisation anywhere;
  private long readings;
  private int found;

  /** Number of weighings by the latest reading: 0 or 1. */
  private int added;

  /** Latest pose; null before the first. */
  private Pose pose;

  /** Localisation that follows the robot back from where it was found; null before that. */
  private MonteCarloLocalisation back;

  /** Pose at which the robot was found; null until it is followed back. */
  private Pose foundAt;

  private long turnNanos;
  private long followed;

  /** Odometry at the latest pose while the robot is followed back; null before that. */
  private Pose odometry;

  /** True if the pose has jumped, so that the robot is followed no further. */
  private boolean hasJumped;

  public GlobalLocalisation(ServerMap map, LocalisationSettings settings, FilterSettings slam) {
    this.map = map;
    this.slam = slam;
    this.filters = LocalisationFilters.of(settings, slam, map);
    this.anywhere = filter(Optional.empty());
  }

  private MonteCarloLocalisation filter(Optional<Pose> start) {
    return new MonteCarloLocalisation(filters, slam, ROBOT, start);
  }

  /** Takes the next reading; returns true if the robot is found at it. */
  public boolean isFoundAt(Reading reading) {
    boolean isOk = false;
    int before = anywhere.weighings();
    if (anywhere.process(++readings, reading) instanceof Localised now) {
      pose = now.pose().inMap();
      isOk = now.pose().quality().state() == State.OK;
    }
    added = anywhere.weighings() - before;
    found = isOk ? found + added : 0;
    return found >= FOUND_WEIGHINGS && isNoWall(map, pose);
  }

  /** Returns true if the search has used its maximum number of weighings. */
  public boolean isGivenUp() {
    return anywhere.weighings() >= MAX_WEIGHINGS;
  }

  /**
   * Returns false if the latest reading need not be kept in order to follow the robot back: it was
   * not weighed, and there are many others.
   */
  public boolean isNeeded() {
    return added > 0 || readings <= NEEDED_READINGS;
  }

  /** Returns the number of weighings by {@link #isFoundAt}. */
  public int weighings() {
    return anywhere.weighings();
  }

  private static boolean isNoWall(ServerMap map, Pose at) {
    int cell = map.cellOf(at);
    return cell >= 0 && !map.isOccupied(cell);
  }

  /**
   * Follows the found robot back by one reading, as if it drove backwards; does nothing after the
   * pose has jumped.
   *
   * @param reading at the first call the reading at which the robot was found, then the one before,
   *     and so on
   */
  public void followBack(Reading reading) {
    if (back == null) {
      back = filter(Optional.of(pose));
      foundAt = pose;
      turnNanos = reading.stampNanos();
      odometry = reading.odometry();
    }
    if (hasJumped) {
      return;
    }
    long mirrored = 2 * turnNanos - reading.stampNanos();
    Reading backwards = new Reading(mirrored, reading.odometry(), reading.scan());
    if (back.process(++followed, backwards) instanceof Localised now) {
      Pose expected = pose.then(odometry.to(reading.odometry()));
      Pose there = now.pose().inMap();
      hasJumped = isJump(expected, there);
      pose = hasJumped ? pose : there;
      odometry = reading.odometry();
    }
  }

  /**
   * Localises a robot near an expected pose by one reading; returns empty if it is found elsewhere
   * or not at all.
   */
  public Optional<RobotPose> beside(Pose expected, Reading reading) {
    return freePlace(map, expected)
        .flatMap(free -> localised(filter(Optional.of(free)).process(1, reading)))
        .filter(there -> !isJump(expected, there.inMap()));
  }

  private static Optional<RobotPose> localised(MonteCarloLocalisation.Result result) {
    return result instanceof Localised now ? Optional.of(now.pose()) : Optional.empty();
  }

  private static boolean isJump(Pose expected, Pose there) {
    return expected.distance(there) > JUMP_METRES
        || Math.abs(Pose.wrap(there.theta() - expected.theta())) > JUMP_RADIANS;
  }

  /**
   * Returns the robot's latest pose in the map's frame, or its pose at the reading to which it was
   * followed back.
   */
  public Pose pose() {
    return pose;
  }

  /**
   * Returns the pose at which a run could begin at the reading to which the robot was followed
   * back: the robot's pose then, or a free place beside it. Returns empty if there is no free
   * place, or the pose has jumped.
   */
  public Optional<Pose> place() {
    return hasJumped ? Optional.empty() : freePlace(map, pose);
  }

  /** Returns for people why there is no {@link #place}. */
  public String whyNoPlace() {
    String why =
        hasJumped
            ? "but followed back only to %s, as one that came from where the map does not show"
                + " what it saw, or was carried"
            : "but where it began, at %s, the map has no free place";
    return "the robot was found at %s, %s"
        .formatted(numbers(foundAt), why.formatted(numbers(pose)));
  }

  /** Writes a pose as people read and type it: metres and radians, with commas between. */
  public static String numbers(Pose pose) {
    return String.format(Locale.ROOT, "%.2f,%.2f,%.2f", pose.x(), pose.y(), pose.theta());
  }

  /**
   * Returns the pose itself; if it is in a wall or outside the map, the nearest free pose within
   * 0.5 m, if any.
   */
  public static Optional<Pose> freePlace(ServerMap map, Pose pose) {
    if (isNoWall(map, pose)) {
      return Optional.of(pose);
    }
    double side = map.grid().resolution();
    int cells = (int) (BESIDE_METRES / side);
    Pose nearest = null;
    double min = BESIDE_METRES;
    for (int row = -cells; row <= cells; row++) {
      for (int column = -cells; column <= cells; column++) {
        Pose near = new Pose(pose.x() + column * side, pose.y() + row * side, pose.theta());
        int cell = map.cellOf(near);
        if (near.distance(pose) <= min && cell >= 0 && map.isFree(cell)) {
          nearest = near;
          min = near.distance(pose);
        }
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** Returns how far the robot has driven since the first reading, metres. */
  public double drivenMetres() {
    return anywhere.drivenMetres();
  }
}
