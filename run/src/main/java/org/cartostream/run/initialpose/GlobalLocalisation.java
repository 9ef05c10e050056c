package org.cartostream.run.initialpose;

import java.util.Optional;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality.State;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.localisation.MonteCarloLocalisation.Result.Localised;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;

/**
 * Search for a robot that may be anywhere in a map, by its readings one by one. Once it is found,
 * its pose at the first reading is computed backwards. One seed gives one pose. Not thread-safe.
 *
 * <p>It is followed back as far as the map shows where it drove, until its pose jumps. Beyond that
 * the filter has it in some other place that looks alike, and says OK there: in a part of the
 * office for a hundred readings and more, up to 12 m off. So no pose is known from there on, even
 * where the robot was in the map before it left it: a run never begins with that part.
 */
public final class GlobalLocalisation {

  /**
   * A robot is found where so many weighings in a row are OK, for the fit is a mean over some ten;
   * readings from one place tell no more than one.
   */
  private static final int FOUND_WEIGHINGS = 10;

  /**
   * Bound on the weighings of a search: at two places that are alike the robot will not be found
   * soon.
   */
  private static final int MAX_WEIGHINGS = 2_000;

  /** A run's first scan is searched within a metre of where it is said to begin. */
  private static final double BESIDE_METRES = 0.5;

  /**
   * A pose that differs by more from what odometry says has jumped. In the office it is 0.09 m and
   * 0.03 rad at most where the map shows all, and 0.87 m at least where the map ends.
   */
  private static final double JUMP_METRES = 0.5;

  private static final double JUMP_RADIANS = Math.toRadians(30);

  private final ServerMap map;
  private final RootSettings settings;
  private final MonteCarloLocalisation anywhere;
  private long readings;
  private int found;

  /** The latest; null before the first. */
  private Pose pose;

  /** Follows the robot back from where it was found; null before. */
  private MonteCarloLocalisation back;

  /** Null before. */
  private Pose foundAt;

  private long turnNanos;
  private long followed;

  /** Odometry at the latest pose, where the robot is followed back; null before. */
  private Pose odometry;

  /** True if the pose has jumped: then there is no more to follow. */
  private boolean hasJumped;

  public GlobalLocalisation(ServerMap map, RootSettings settings) {
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
    int before = anywhere.weighings();
    if (anywhere.process(++readings, reading) instanceof Localised now) {
      pose = now.pose().inMap();
      isOk = now.pose().quality().state() == State.OK;
    }
    found = isOk ? found + anywhere.weighings() - before : 0;
    return found >= FOUND_WEIGHINGS && isNoWall(map, pose);
  }

  /** True if the search has taken as long as it may. */
  public boolean isGivenUp() {
    return anywhere.weighings() >= MAX_WEIGHINGS;
  }

  /** Number of places from which the robot was looked for, see {@link #isFoundAt}. */
  int weighings() {
    return anywhere.weighings();
  }

  private static boolean isNoWall(ServerMap map, Pose at) {
    int cell = map.cellOf(at);
    return cell >= 0 && !map.isOccupied(cell);
  }

  /**
   * Follows the robot that was found, as if it drove backwards; no farther than to where its pose
   * would jump.
   *
   * @param reading at first the one at which it was found, then the one before that, and so on
   */
  public void followBack(Reading reading) {
    if (back == null) {
      back = filter(map, Optional.of(pose), settings);
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

  /** Returns where a robot is found that is beside a pose; empty if it is found elsewhere. */
  Optional<RobotPose> beside(Pose expected, Reading reading) {
    return freePlace(map, expected)
        .flatMap(free -> localised(filter(map, Optional.of(free), settings).process(1, reading)))
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
   * Returns the pose in the map's frame: where the robot is, or was at the reading to which it was
   * followed.
   */
  Pose pose() {
    return pose;
  }

  /**
   * Returns where a run could begin at the reading to which the robot was followed: where it was
   * then, or a free place beside that; empty if there is none, or it could not be followed so far.
   */
  public Optional<Pose> place() {
    return hasJumped ? Optional.empty() : freePlace(map, pose);
  }

  /**
   * Returns where a run with the robot that was found and followed back begins, in the map's frame:
   * where it was then, or a free place beside that, for it is followed to some centimetres only.
   *
   * @throws ExitException if there is none, or it could not be followed so far
   */
  public Pose beginning() {
    String why =
        hasJumped
            ? "but followed back only to %s, as one that came from where the map does not show"
                + " what it saw, or was carried"
            : "but where it began, at %s, the map has no free place";
    return place()
        .orElseThrow(
            () ->
                ExitException.failed(
                    "--at anywhere: the robot was found at %s, %s; --at X,Y,YAW says where in the"
                            .formatted(
                                InitialPoseCheck.numbers(foundAt),
                                why.formatted(InitialPoseCheck.numbers(pose)))
                        + " map a run begins"));
  }

  /** The pose itself, or if that is in a wall or outside the map, the nearest free one. */
  static Optional<Pose> freePlace(ServerMap map, Pose pose) {
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
