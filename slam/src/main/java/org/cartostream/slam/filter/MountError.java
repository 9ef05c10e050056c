package org.cartostream.slam.filter;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.Symmetric3;

/**
 * How far the laser stands from where the log, or {@code /tf}, has it: a few centimetres ahead,
 * turned by a degree. A laser that is turned to the left without anyone's knowledge sees a robot
 * that drives straight on drift to the right; a motion model that knows better then turns the
 * robot, a little at every step and always to the same side.
 *
 * <p>Particles and maps go by the base as the laser has it, odometry by the wheels. Let C be the
 * pose of the one in the frame of the other: the laser's true mount is C followed by the declared
 * one, and where the wheels move by m, the base moves by C⁻¹ m C. C is what explains best, by least
 * squares, how scan matches differed from odometry in the key frames so far, beginning with no
 * error at all; outliers count with their amount, not with its square. It is the laser's part of
 * Censi et al. (2013), "Simultaneous calibration of odometry and sensor parameters for mobile
 * robots", section V. While what is found may be chance, odometry's word stays as it is.
 *
 * <p>Owns the sums of the key frames so far, and the estimate. What was mapped stays as it is when
 * the estimate changes, for only motions go by it.
 */
final class MountError {

  /**
   * What odometry and laser say of the motion since the last key frame.
   *
   * @param usual odometry's error
   */
  private record Compared(Pose wheels, Pose byLaser, MotionModel usual) {}

  /**
   * So much is expected of the square of three numbers, by their covariance, if there is no error.
   */
  private static final double EXPECTED_BY_CHANCE = 3;

  private final boolean isNone;
  private Symmetric3 information;

  /** The information times the estimate. */
  private final double[] sum = new double[3];

  private Pose found = Pose.ORIGIN;
  private Pose believed = Pose.ORIGIN;

  /** Of the reading at hand; null if nothing can be compared. */
  private Compared compared;

  /**
   * @param metres standard deviation of the laser's place along either axis
   * @param radians standard deviation of its heading. If one of the two is 0, the declared mount is
   *     right
   */
  MountError(double metres, double radians) {
    isNone = metres == 0 || radians == 0;
    double place = 1 / (metres * metres);
    information = new Symmetric3(place, 0, 0, place, 0, 1 / (radians * radians));
  }

  /** How far the laser seems to stand from its declared mount: what is to be added to that. */
  Pose of(Pose declared) {
    Pose at = believed.then(declared);
    return new Pose(at.x() - declared.x(), at.y() - declared.y(), believed.theta());
  }

  /** The base's pose, where the wheels have it at {@code wheels}. */
  Pose base(Pose wheels) {
    return wheels.then(believed);
  }

  /** The base's motion, where the wheels moved by {@code wheels}. */
  Pose motion(Pose wheels) {
    return believed == Pose.ORIGIN ? wheels : believed.to(base(wheels));
  }

  /**
   * Compares what odometry and laser say of the motion since the last key frame. Only the last
   * comparison before a key frame counts.
   *
   * @param wheels the motion by odometry
   * @param byLaser the base's motion
   * @param usual odometry's error
   */
  void compare(Pose wheels, Pose byLaser, MotionModel usual) {
    compared = new Compared(wheels, byLaser, usual);
  }

  /** Nothing can be compared since the last key frame, or what was compared is void. */
  void leaveOut() {
    compared = null;
  }

  /** The reading at hand has become a key frame. */
  void keyFrame() {
    if (compared == null || isNone) {
      return;
    }
    Pose base = found.to(compared.wheels.then(found));
    Pose byLaser = compared.byLaser;
    Pose turned = new Pose(0, 0, -found.theta());
    double sin = StrictMath.sin(base.theta());
    double less = StrictMath.cos(base.theta()) - 1;
    // How the base's motion changes with the error's x, y and heading.
    Pose byX = turned.then(new Pose(less, sin, 0));
    Pose byY = turned.then(new Pose(-sin, less, 0));
    count(byX.x(), byY.x(), base.y(), byLaser.x() - base.x(), compared.usual.ahead());
    count(byX.y(), byY.y(), -base.x(), byLaser.y() - base.y(), compared.usual.left());
    double[] solved = information.cholesky().solve(sum[0], sum[1], sum[2]);
    found = new Pose(solved[0], solved[1], solved[2]);
    boolean isChance =
        information.quadratic(found.x(), found.y(), found.theta()) < EXPECTED_BY_CHANCE;
    believed = isChance ? Pose.ORIGIN : found;
    compared = null;
  }

  /**
   * Takes in that the motion differs by {@code residual} along one axis.
   *
   * @param x how much this changes with the error's x; y and heading likewise
   * @param deviation odometry's along that axis: its standard error
   */
  private void count(double x, double y, double heading, double residual, double deviation) {
    double weight = Math.min(1, deviation / Math.abs(residual)) / (deviation * deviation);
    double moved = residual + x * found.x() + y * found.y() + heading * found.theta();
    information =
        information.plus(
            new Symmetric3(x * x, x * y, x * heading, y * y, y * heading, heading * heading)
                .times(weight));
    sum[0] += weight * x * moved;
    sum[1] += weight * y * moved;
    sum[2] += weight * heading * moved;
  }
}
