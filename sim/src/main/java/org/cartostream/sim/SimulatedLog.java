package org.cartostream.sim;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.StampedPose;
import org.cartostream.slam.sensor.Reading;

/**
 * Drives a {@link SimulatedRobot} along a {@link Tour} and records what it saw and where it really
 * was. One seed gives the same bytes on every machine.
 */
public final class SimulatedLog {

  /** The files in {@code datasets/}: {@code office.clf} and {@code office.reference.tum}. */
  public static final String NAME = "office";

  /** Their seed. */
  public static final long SEED = 20261121;

  private static final long FIRST_STAMP_NANOS = 1_000_000_000_000L;
  private static final long PERIOD_NANOS = 500_000_000L;
  private static final double STEP_METRES = 0.25;
  private static final double STEP_RADIANS = StrictMath.toRadians(30);

  private final SimulatedRobot robot;
  private final double stepMetres;
  private final List<Reading> readings = new ArrayList<>();
  private final List<StampedPose> reference = new ArrayList<>();

  private SimulatedLog(World world, Pose start, long seed, double stepMetres) {
    this.stepMetres = stepMetres;
    robot = new SimulatedRobot(world, Lidar.usual(), start, seed);
  }

  /** What a robot records on a tour: a reading every 0.25 m and every 30 degrees. */
  public static Recording of(World world, Tour tour, long seed) {
    return of(world, tour, seed, STEP_METRES);
  }

  /**
   * The same with steps of another length, as of a robot that is slower, or whose laser is faster.
   */
  public static Recording of(World world, Tour tour, long seed, double stepMetres) {
    SimulatedLog log = new SimulatedLog(world, tour.start(), seed, stepMetres);
    log.record();
    tour.stops().forEach(log::driveTo);
    return new Recording(log.readings, log.reference);
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      System.err.println("usage: SimulatedLog FOLDER    writes the files of datasets/");
      System.exit(2);
    }
    of(World.office(), Tour.office(), SEED).write(Path.of(arguments[0]), NAME);
  }

  /** First turns towards the stop or away from it, then drives there, recording at every step. */
  private void driveTo(Tour.Stop stop) {
    Pose from = robot.truth();
    double dx = stop.x() - from.x();
    double dy = stop.y() - from.y();
    double heading = stop.backwards() ? StrictMath.atan2(-dy, -dx) : StrictMath.atan2(dy, dx);
    double turn = Pose.wrap(heading - from.theta());
    int turns = (int) StrictMath.ceil(StrictMath.abs(turn) / STEP_RADIANS - 1e-9);
    for (int i = 0; i < turns; i++) {
      robot.move(turn / turns, 0);
      record();
    }
    double distance = StrictMath.hypot(dx, dy);
    int steps = (int) StrictMath.ceil(distance / stepMetres - 1e-9);
    for (int i = 0; i < steps; i++) {
      robot.move(0, (stop.backwards() ? -distance : distance) / steps);
      record();
    }
  }

  private void record() {
    long stamp = FIRST_STAMP_NANOS + reference.size() * PERIOD_NANOS;
    reference.add(new StampedPose(stamp, robot.truth()));
    readings.add(new Reading(stamp, robot.odometry(), robot.scan()));
  }
}
