package org.cartostream.slam.geometry;

/**
 * A position and heading in the plane, and equally the rigid motion that leads from the origin to
 * it.
 *
 * <p>Trigonometry goes through {@link StrictMath}: a pose crosses machines, and the intrinsics
 * behind {@link Math} may differ between processors.
 *
 * @param x metres
 * @param y metres
 * @param theta radians, counter-clockwise, in (-π, π] after {@link #wrap}
 */
public record Pose(double x, double y, double theta) {

  public static final Pose ORIGIN = new Pose(0, 0, 0);

  /** Returns this pose followed by {@code step}, which is given in this pose's frame. */
  public Pose then(Pose step) {
    double cos = StrictMath.cos(theta);
    double sin = StrictMath.sin(theta);
    return new Pose(
        x + cos * step.x - sin * step.y, y + sin * step.x + cos * step.y, wrap(theta + step.theta));
  }

  /** Returns the motion that undoes this one: {@code p.then(p.inverse())} is the origin. */
  public Pose inverse() {
    double cos = StrictMath.cos(theta);
    double sin = StrictMath.sin(theta);
    return new Pose(-cos * x - sin * y, sin * x - cos * y, wrap(-theta));
  }

  /** Returns the motion from this pose to {@code other}: {@code p.then(p.to(q))} is {@code q}. */
  public Pose to(Pose other) {
    double cos = StrictMath.cos(theta);
    double sin = StrictMath.sin(theta);
    double dx = other.x - x;
    double dy = other.y - y;
    return new Pose(cos * dx + sin * dy, -sin * dx + cos * dy, wrap(other.theta - theta));
  }

  /**
   * Returns the pose at {@code share} of the way from this pose (0) to {@code other} (1): straight,
   * turning the short way.
   */
  public Pose towards(Pose other, double share) {
    return new Pose(
        x + share * (other.x - x),
        y + share * (other.y - y),
        wrap(theta + share * wrap(other.theta - theta)));
  }

  /** Distance between the positions, in metres. */
  public double distance(Pose other) {
    return StrictMath.hypot(other.x - x, other.y - y);
  }

  /** True if no component is NaN or infinite. */
  public boolean isFinite() {
    return Double.isFinite(x) && Double.isFinite(y) && Double.isFinite(theta);
  }

  /** Wraps an angle to (-π, π], for any finite {@code radians}. */
  public static double wrap(double radians) {
    if (radians > -StrictMath.PI && radians <= StrictMath.PI) {
      return radians;
    }
    double wrapped = StrictMath.IEEEremainder(radians, 2 * StrictMath.PI);
    return wrapped <= -StrictMath.PI ? StrictMath.PI : wrapped;
  }
}
