package org.cartostream.gateway.ros.tf;

import java.util.Locale;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.Transform;
import org.cartostream.ros.message.Vector3;
import org.cartostream.slam.geometry.Pose;

/**
 * A rigid transform in space, the pose of one frame in another: first the rotation, then the
 * translation. It becomes the odometry of the filter, so it is the same to the last bit on every
 * machine.
 *
 * @param translation metres
 * @param rotation unit quaternion
 */
public record RigidTransform(Vector3 translation, Quaternion rotation) {

  public static final RigidTransform IDENTITY =
      new RigidTransform(Vector3.ZERO, new Quaternion(0, 0, 0, 1));

  /** Cosine of an angle whose chord and arc are equal in double precision. */
  private static final double NEARLY_EQUAL = 1 - 1e-12;

  /** Maximum error of a quaternion's length, as in tf. */
  private static final double LENGTH_TOLERANCE = 0.01;

  public static RigidTransform of(Transform transform) {
    return new RigidTransform(transform.translation(), normalised(transform.rotation()));
  }

  public static RigidTransform of(RosPose pose) {
    return new RigidTransform(pose.position(), normalised(pose.orientation()));
  }

  /**
   * Normalises a quaternion, which may have been rounded in a launch file; an invalid one is
   * returned unchanged.
   */
  private static Quaternion normalised(Quaternion rotation) {
    double norm = Math.sqrt(dot(rotation, rotation));
    return Math.abs(norm - 1) <= LENGTH_TOLERANCE ? dividedBy(norm, rotation) : rotation;
  }

  private static Quaternion dividedBy(double norm, Quaternion it) {
    return new Quaternion(it.x() / norm, it.y() / norm, it.z() / norm, it.w() / norm);
  }

  /** Returns a transform in the plane. */
  public static RigidTransform of(Pose pose) {
    double half = pose.theta() / 2;
    return new RigidTransform(
        new Vector3(pose.x(), pose.y(), 0),
        new Quaternion(0, 0, StrictMath.sin(half), StrictMath.cos(half)));
  }

  /** True if every number is finite and the quaternion has length 1. */
  public boolean isValid() {
    double norm = Math.sqrt(dot(rotation, rotation));
    return Double.isFinite(translation.x() + translation.y() + translation.z())
        && Math.abs(norm - 1) <= LENGTH_TOLERANCE;
  }

  /** Returns the numbers of an {@linkplain #isValid invalid} transform, for people. */
  public String whyInvalid() {
    return String.format(
        Locale.ROOT,
        "translation (%s, %s, %s), quaternion (%s, %s, %s, %s), which must be of length 1",
        translation.x(),
        translation.y(),
        translation.z(),
        rotation.x(),
        rotation.y(),
        rotation.z(),
        rotation.w());
  }

  /** Returns this motion followed by {@code step}, which is given in this motion's frame. */
  public RigidTransform then(RigidTransform step) {
    Vector3 moved = rotate(rotation, step.translation);
    return new RigidTransform(
        new Vector3(
            translation.x() + moved.x(), translation.y() + moved.y(), translation.z() + moved.z()),
        product(rotation, step.rotation));
  }

  /** Returns the inverse transform. */
  RigidTransform inverse() {
    Quaternion back = new Quaternion(-rotation.x(), -rotation.y(), -rotation.z(), rotation.w());
    Vector3 moved = rotate(back, translation);
    return new RigidTransform(new Vector3(-moved.x(), -moved.y(), -moved.z()), back);
  }

  /** Returns the transform as a message. */
  public RosPose rosPose() {
    return new RosPose(translation, rotation);
  }

  /**
   * Interpolates between this transform (share 0) and {@code other} (share 1): linear in
   * translation, slerp in rotation.
   */
  RigidTransform interpolate(RigidTransform other, double share) {
    Vector3 a = translation;
    Vector3 b = other.translation;
    return new RigidTransform(
        new Vector3(
            a.x() + share * (b.x() - a.x()),
            a.y() + share * (b.y() - a.y()),
            a.z() + share * (b.z() - a.z())),
        slerp(rotation, other.rotation, share));
  }

  /** Returns the projection onto the plane: x, y and the direction of the x axis. */
  public Pose planar() {
    Vector3 ahead = rotate(rotation, new Vector3(1, 0, 0));
    return new Pose(translation.x(), translation.y(), StrictMath.atan2(ahead.y(), ahead.x()));
  }

  /**
   * Returns how far the z axis points upwards: 1 if the frame stands upright, -1 if on its head.
   */
  public double upwards() {
    return rotate(rotation, new Vector3(0, 0, 1)).z();
  }

  private static double dot(Quaternion a, Quaternion b) {
    return a.x() * b.x() + a.y() * b.y() + a.z() * b.z() + a.w() * b.w();
  }

  /** Returns Hamilton's product. */
  private static Quaternion product(Quaternion a, Quaternion b) {
    return new Quaternion(
        a.w() * b.x() + a.x() * b.w() + a.y() * b.z() - a.z() * b.y(),
        a.w() * b.y() - a.x() * b.z() + a.y() * b.w() + a.z() * b.x(),
        a.w() * b.z() + a.x() * b.y() - a.y() * b.x() + a.z() * b.w(),
        a.w() * b.w() - a.x() * b.x() - a.y() * b.y() - a.z() * b.z());
  }

  private static Vector3 rotate(Quaternion by, Vector3 vector) {
    Quaternion back = new Quaternion(-by.x(), -by.y(), -by.z(), by.w());
    Quaternion turned =
        product(product(by, new Quaternion(vector.x(), vector.y(), vector.z(), 0)), back);
    return new Vector3(turned.x(), turned.y(), turned.z());
  }

  /**
   * Interpolates spherically and linearly (slerp): Shoemake, Animating rotation with quaternion
   * curves, SIGGRAPH 1985, section 3.3.
   */
  private static Quaternion slerp(Quaternion from, Quaternion to, double share) {
    double cos = dot(from, to);
    double sign = cos < 0 ? -1 : 1; // Of a rotation's two quaternions the nearer one.
    double wholeway = sign * cos;
    double a = 1 - share;
    double b = share;
    if (wholeway < NEARLY_EQUAL) {
      double angle = StrictMath.acos(wholeway);
      a = StrictMath.sin((1 - share) * angle) / StrictMath.sin(angle);
      b = StrictMath.sin(share * angle) / StrictMath.sin(angle);
    }
    Quaternion sum =
        new Quaternion(
            a * from.x() + sign * b * to.x(),
            a * from.y() + sign * b * to.y(),
            a * from.z() + sign * b * to.z(),
            a * from.w() + sign * b * to.w());
    return dividedBy(Math.sqrt(dot(sum, sum)), sum);
  }
}
