package org.cartostream.slam.calibration;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.motion.MotionModel;

/**
 * Estimator of the error of the laser's declared mount (in the log, or by {@code /tf}), such as a
 * few centimetres ahead and a degree of turn. A laser that is turned to the left without anyone's
 * knowledge sees a robot that drives straight on drift to the right; corrected by odometry, the
 * robot then turns a little at every step, always to the same side.
 *
 * <p>Particles and maps go by the base as the laser has it, odometry by the wheels. Let C be the
 * base as the laser has it, seen from the base of the wheels: the laser's true mount is C followed
 * by the declared one, and where the wheels move by m, the base moves by C⁻¹ m C. C is what
 * explains best, by least squares, how scan matches differed from odometry in the key frames so
 * far, beginning with the declared mount, where odometry is bent to the turn that the laser saw;
 * outliers count with their amount, not with its square. It is the laser's part of Censi et al.
 * (2013), "Simultaneous calibration of odometry and sensor parameters for mobile robots", section
 * V. While the error found is smaller than chance alone gives on average with a right mount,
 * odometry's pose stays as it is.
 *
 * <p>Odometry's scale is taken for right: on a robot that turns to one side only, a wrong scale
 * looks like a laser off to the side. Where a scan bounds a direction weakly, its match stays near
 * odometry's pose, so with a narrow view only a part of the error is found. Errors beyond some 20
 * degrees are not found reliably, and the heading of a laser that is mounted backwards is not found
 * at all.
 *
 * <p>Owns the sums of the key frames so far, and the estimate. When the estimate changes, the map
 * stays as it is: only later motions are corrected.
 */
public final class LaserMountEstimator {

  /**
   * The motion by odometry and by laser since the last key frame.
   *
   * @param usual odometry's error
   */
  private record MotionComparison(Pose wheels, Pose byLaser, MotionModel usual) {}

  /**
   * Mean of the squared error, vᵀ M v with M its information, if the mount is right: 3 unknowns.
   */
  private static final double EXPECTED_BY_CHANCE = 3;

  private final double metres;
  private final double radians;
  private SymmetricMatrix3 information;

  /** The information times the estimate. */
  private double[] sum;

  /**
   * C as estimated from all key frames; and C as applied, the origin while the estimate may be
   * chance.
   */
  private Pose found = Pose.ORIGIN;

  private Pose believed = Pose.ORIGIN;

  /** Comparison of the reading at hand; null if nothing can be compared. */
  private MotionComparison motionComparison;

  /**
   * @param metres standard deviation of the laser's place along either axis
   * @param radians standard deviation of the laser's heading. If one of the two is 0, the declared
   *     mount is taken for right
   */
  public LaserMountEstimator(double metres, double radians) {
    this.metres = metres;
    this.radians = radians;
  }

  /**
   * Begins at the first key frame.
   *
   * @param declared the laser's declared mount at the first key frame
   */
  public void begin(Pose declared) {
    // The laser's place is C's place, and the declared one turned by C's heading.
    double byX = -declared.y();
    double byY = declared.x();
    double place = 1 / (metres * metres);
    double heading = 1 / (radians * radians);
    double turned = heading + place * (byX * byX + byY * byY);
    information = new SymmetricMatrix3(place, 0, place * byX, place, place * byY, turned);
    sum = new double[3];
  }

  /**
   * Returns the estimated error of the laser's declared mount: what is to be added to the mount.
   */
  public Pose offset(Pose declared) {
    Pose at = believed.then(declared);
    return new Pose(at.x() - declared.x(), at.y() - declared.y(), believed.theta());
  }

  /** Returns the base's motion if the wheels moved by {@code wheels}. */
  public Pose baseMotion(Pose wheels) {
    return believed.equals(Pose.ORIGIN) ? wheels : believed.to(wheels.then(believed));
  }

  /** Returns the wheels' motion if the base moved by {@code base}. */
  public Pose wheelMotion(Pose base) {
    return believed.equals(Pose.ORIGIN) ? base : believed.then(base).then(believed.inverse());
  }

  /**
   * Compares the motion by odometry and by laser since the last key frame. Only the last comparison
   * before a key frame counts.
   *
   * @param wheels the motion by odometry
   * @param byLaser the base's motion
   * @param usual odometry's error
   */
  public void compare(Pose wheels, Pose byLaser, MotionModel usual) {
    motionComparison = new MotionComparison(wheels, byLaser, usual);
  }

  /** Discards the latest comparison: since the last key frame nothing can be compared. */
  public void discard() {
    motionComparison = null;
  }

  /** Adds the latest comparison to the sums: its reading has become a key frame. */
  public void keyFrame() {
    if (motionComparison == null || metres == 0 || radians == 0) {
      return;
    }
    Pose byLaser = motionComparison.byLaser;
    Pose base = found.to(bent(motionComparison.wheels, byLaser.theta()).then(found));
    Pose turned = new Pose(0, 0, -found.theta());
    double sin = StrictMath.sin(base.theta());
    double less = StrictMath.cos(base.theta()) - 1;
    // How the base's motion changes with the error's x, y and heading.
    Pose byX = turned.then(new Pose(less, sin, 0));
    Pose byY = turned.then(new Pose(-sin, less, 0));
    count(byX.x(), byY.x(), base.y(), byLaser.x() - base.x(), motionComparison.usual.ahead());
    count(byX.y(), byY.y(), -base.x(), byLaser.y() - base.y(), motionComparison.usual.left());
    double[] solved = information.cholesky().solve(sum[0], sum[1], sum[2]);
    found = new Pose(solved[0], solved[1], solved[2]);
    boolean mayBeChance =
        information.quadratic(found.x(), found.y(), found.theta()) < EXPECTED_BY_CHANCE;
    believed = mayBeChance ? Pose.ORIGIN : found;
    motionComparison = null;
  }

  /**
   * Returns the wheels' motion with its turn replaced by {@code theta}. The missing turn is spread
   * evenly over the way, so the motion's direction changes by half of it. Without this, wheels of
   * unequal size, which count too little turn at every metre, would be taken for a turned laser.
   */
  private static Pose bent(Pose wheels, double theta) {
    Pose half = new Pose(0, 0, Pose.wrap(theta - wheels.theta()) / 2);
    Pose to = half.then(wheels);
    return new Pose(to.x(), to.y(), theta);
  }

  /**
   * Adds one observation to the sums: the motion differs by {@code residual} along one axis.
   *
   * @param x derivative of the base's motion along that axis by the mount error's x; {@code y} and
   *     {@code heading} likewise
   * @param deviation odometry's standard error along that axis
   */
  private void count(double x, double y, double heading, double residual, double deviation) {
    double weight = Math.min(1, deviation / Math.abs(residual)) / (deviation * deviation);
    double moved = residual + x * found.x() + y * found.y() + heading * found.theta();
    information =
        information.plus(
            new SymmetricMatrix3(x * x, x * y, x * heading, y * y, y * heading, heading * heading)
                .times(weight));
    sum[0] += weight * x * moved;
    sum[1] += weight * y * moved;
    sum[2] += weight * heading * moved;
  }
}
