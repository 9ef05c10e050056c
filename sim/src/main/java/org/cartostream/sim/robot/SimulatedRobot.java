package org.cartostream.sim.robot;

import java.util.Random;
import org.cartostream.sim.world.Lidar;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * Simulated robot with a planar laser that drives in a {@link World}: its true pose is known, its
 * odometry is noisy. Owns both poses and the random numbers of all noise.
 *
 * <p>The errors of odometry are proportional to distance and turn, with a drift to one side, as
 * worn wheels cause it; ranges have Gaussian noise.
 */
public final class SimulatedRobot {

  /** Standard deviation of a driven distance, metres per metre. */
  private static final double DISTANCE_NOISE = 0.05;

  /** Standard deviation of a turn, radians per radian. */
  private static final double TURN_NOISE = 0.04;

  /** Standard deviation of the turn that driving adds, radians per metre. */
  private static final double SWERVE_NOISE = 0.02;

  /** Turn that odometry reports while the robot drives straight, radians per metre. */
  private static final double DRIFT = 0.01;

  private final World world;
  private final Lidar lidar;
  private final Random random;
  private Pose truth;
  private Pose odometry = Pose.ORIGIN;

  public SimulatedRobot(World world, Lidar lidar, Pose start, long seed) {
    this.world = world;
    this.lidar = lidar;
    this.truth = start;
    this.random = new Random(seed);
  }

  /** Returns the robot's true pose, in the world's frame. */
  public Pose truth() {
    return truth;
  }

  /** Returns the robot's pose by odometry, which begins at the origin. */
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

  /** Returns the laser's scan from the robot's true pose. */
  public Scan scan() {
    Pose laser = truth.then(lidar.mount());
    double max = lidar.maxRange();
    float[] ranges = new float[lidar.beams()];
    for (int i = 0; i < ranges.length; i++) {
      double angle = lidar.startAngle() + i * lidar.angleStep();
      double distance = world.distance(laser.then(new Pose(0, 0, angle)));
      double measured = distance + lidar.rangeStd() * random.nextGaussian();
      ranges[i] = (float) (measured >= max ? max : measured < lidar.minRange() ? 0 : measured);
    }
    return new Scan(
        lidar.mount(), lidar.startAngle(), lidar.angleStep(), lidar.minRange(), max, ranges);
  }
}
