package org.cartostream.sim;

import java.util.Random;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * A robot with a planar laser, driving in a {@link World}: it knows where it is, its odometry does
 * not. Owns both poses and the random numbers of their difference.
 *
 * <p>Odometry errs in proportion to what was driven and turned, plus a drift to one side, as worn
 * wheels cause it; ranges err by a normal distribution.
 */
public final class SimulatedRobot {

  private static final int BEAMS = 180;
  private static final double FIELD_OF_VIEW = StrictMath.toRadians(270);
  private static final double MAX_RANGE_METRES = 8;
  private static final double MIN_RANGE_METRES = 0.05;
  private static final double RANGE_STD_METRES = 0.01;

  /** Standard deviation of the distance, metres per metre. */
  private static final double DISTANCE_NOISE = 0.05;

  /** Standard deviation of the turn, radians per radian. */
  private static final double TURN_NOISE = 0.04;

  /** Standard deviation of the turn, radians per metre. */
  private static final double SWERVE_NOISE = 0.02;

  /** Turn that odometry does not see, radians per metre. */
  private static final double DRIFT = 0.01;

  private static final Pose MOUNT = new Pose(0.1, 0, 0);

  private final World world;
  private final Random random;
  private Pose truth;
  private Pose odometry = Pose.ORIGIN;

  public SimulatedRobot(World world, Pose start, long seed) {
    this.world = world;
    this.truth = start;
    this.random = new Random(seed);
  }

  /** Where the robot is, in the world's frame. */
  public Pose truth() {
    return truth;
  }

  /** Where its wheels say it is, from the origin. */
  public Pose odometry() {
    return odometry;
  }

  /**
   * Turns on the spot by {@code radians}, then drives {@code metres} ahead, or back if negative.
   */
  public void move(double radians, double metres) {
    truth = truth.then(new Pose(0, 0, radians)).then(new Pose(metres, 0, 0));
    double turned =
        radians * (1 + TURN_NOISE * random.nextGaussian())
            + metres * (DRIFT + SWERVE_NOISE * random.nextGaussian());
    double driven = metres * (1 + DISTANCE_NOISE * random.nextGaussian());
    odometry = odometry.then(new Pose(0, 0, turned)).then(new Pose(driven, 0, 0));
  }

  /** What the laser sees from where the robot is. */
  public Scan scan() {
    Pose laser = truth.then(MOUNT);
    double step = FIELD_OF_VIEW / (BEAMS - 1);
    double start = -FIELD_OF_VIEW / 2;
    float[] ranges = new float[BEAMS];
    for (int i = 0; i < BEAMS; i++) {
      double distance = world.distance(laser.then(new Pose(0, 0, start + i * step)));
      double measured = distance + RANGE_STD_METRES * random.nextGaussian();
      ranges[i] = (float) (measured >= MAX_RANGE_METRES ? MAX_RANGE_METRES : measured);
    }
    return new Scan(MOUNT, start, step, MIN_RANGE_METRES, MAX_RANGE_METRES, ranges);
  }
}
