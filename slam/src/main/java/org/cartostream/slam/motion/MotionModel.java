package org.cartostream.slam.motion;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.MotionSettings;
import org.cartostream.slam.settings.OdometrySettings;

/**
 * GMapping's motion model: the error of a step of odometry, as the standard deviations of a
 * Gaussian in the frame of the pose that the step starts from.
 *
 * <p>The errors and the share 0.3 between the axes are those of GMapping's {@code MotionModel};
 * unlike there, no step is believed to be without error. And wheels may always slip: where the
 * laser shows how long a short step was, odometry's length gets a larger error; between parallel
 * walls, where only odometry shows it, it does not.
 *
 * @param ahead standard deviation along the robot's heading, metres
 * @param left standard deviation across the robot's heading, metres
 * @param heading standard deviation of the heading, radians
 */
public record MotionModel(double ahead, double left, double heading) {

  private static final double ACROSS = 0.3;

  /**
   * Length beyond which a step consists of several steps whose scans were unusable: their errors
   * are independent, and add up as the root of the length. No log has key frames so far apart.
   */
  private static final double MAX_STEP_METRES = 2;

  /**
   * Factor on the error of slipping steps ahead: they are off by some 0.2 of their length; the
   * model's default is 0.07.
   */
  private static final double SLIPPERY = 3;

  /**
   * Factor on the error of a short step ahead where the laser shows how far the robot went. An
   * error of a fifth of a step of 0.1 m is too small to show slip, but adds up over many steps; on
   * long steps {@code OdometryCheck} finds it.
   */
  private static final double SHORT_STEPS = 4;

  /**
   * Returns the error of a step's motion, be it odometry's or the laser's.
   *
   * @param beams the beams of the step's scan
   */
  public static MotionModel of(FilterSettings settings, Step step, Beams beams) {
    MotionModel byOdometry = of(settings.motion(), step.motion());
    if (!step.replaced()) {
      double slip =
          Math.min(SLIPPERY * byOdometry.ahead, SHORT_STEPS * settings.motion().floorMetres());
      double unitsPerMetre = TiledMap.UNITS / settings.cellMetres();
      return slip > byOdometry.ahead && beams.constrainTravel(step.motion(), unitsPerMetre)
          ? new MotionModel(slip, byOdometry.left, byOdometry.heading)
          : byOdometry;
    }
    OdometrySettings found = settings.odometry();
    return new MotionModel(
        Math.max(found.sigmaFoundMetres(), byOdometry.ahead),
        Math.max(found.sigmaFoundMetres(), byOdometry.left),
        Math.max(found.sigmaFoundRadians(), byOdometry.heading));
  }

  /** Returns the error of a motion by odometry. */
  public static MotionModel of(MotionSettings settings, Pose motion) {
    double way = Pose.ORIGIN.distance(motion);
    double once = way > MAX_STEP_METRES ? StrictMath.sqrt(MAX_STEP_METRES / way) : 1;
    double x = once * Math.abs(motion.x());
    double y = once * Math.abs(motion.y());
    double turn = Math.abs(motion.theta());
    double distance = once * way;
    double across = ACROSS * settings.srr();
    return new MotionModel(
        settings.floorMetres() + settings.srr() * x + settings.str() * turn + across * y,
        settings.floorMetres() + settings.srr() * y + settings.str() * turn + across * x,
        settings.floorRadians() + settings.stt() * turn + settings.srt() * distance);
  }

  /** Returns the variance of the step's translation along a direction, square metres. */
  public double varianceAlong(double direction) {
    double x = ahead * StrictMath.cos(direction);
    double y = left * StrictMath.sin(direction);
    return x * x + y * y;
  }

  /** Returns the model for wheels that may slip: the way ahead may be off by more. */
  public MotionModel ifWheelsSlip() {
    return new MotionModel(SLIPPERY * ahead, left, heading);
  }

  /**
   * Returns the inverse covariance, in the map's frame, of a pose with this error.
   *
   * @param headingOfStart the robot's heading when the step began, radians
   */
  public SymmetricMatrix3 information(double headingOfStart) {
    double cos = StrictMath.cos(headingOfStart);
    double sin = StrictMath.sin(headingOfStart);
    double a = 1 / (ahead * ahead);
    double l = 1 / (left * left);
    return new SymmetricMatrix3(
        cos * cos * a + sin * sin * l,
        cos * sin * (a - l),
        0,
        sin * sin * a + cos * cos * l,
        0,
        1 / (heading * heading));
  }
}
