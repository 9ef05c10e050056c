package org.cartostream.gateway.ros.scan;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Odometry;
import org.cartostream.ros.message.PoseWithCovariance;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.Transform;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.ros.message.Twist;
import org.cartostream.ros.message.TwistWithCovariance;
import org.cartostream.ros.message.Vector3;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/** A robot's messages, and what the pairing makes of them. Times are in milliseconds. */
public final class FakeRobot {

  public static final long MILLI = 1_000_000L;

  final List<Reading> ready = new ArrayList<>();
  final List<Refusal.Reason> unused = new ArrayList<>();
  final List<String> notes = new ArrayList<>();
  final ScanOdometrySync pairing;

  FakeRobot(RosSettings settings) {
    this(settings, new OdometrySource.Topics("/tf", "/odom", false));
  }

  FakeRobot(RosSettings settings, OdometrySource.Topics topics) {
    pairing = new ScanOdometrySync(settings, topics, ready::add, unused::add, notes::add);
  }

  /** With its laser 0.1 m ahead of the base. */
  static FakeRobot withLaser(RosSettings settings) {
    return withLaser(settings, new OdometrySource.Topics("/tf", "/odom", false));
  }

  static FakeRobot withLaser(RosSettings settings, OdometrySource.Topics topics) {
    FakeRobot fakeRobot = new FakeRobot(settings, topics);
    fakeRobot.mount(RigidTransform.of(new Pose(0.1, 0, 0)));
    return fakeRobot;
  }

  void mount(RigidTransform laser) {
    pairing.receive(new TfMessage(List.of(transform("base_link", "laser", 0, laser))), true, 0);
  }

  /** Odometry on {@code /tf}: stamp, arrival, and how far along x. */
  void tf(long stamp, long arrival, double x) {
    tf(stamp, arrival, new Pose(x, 0, 0));
  }

  void tf(long stamp, long arrival, Pose pose) {
    TransformStamped odometry = transform("odom", "base_link", stamp, RigidTransform.of(pose));
    pairing.receive(new TfMessage(List.of(odometry)), false, arrival * MILLI);
  }

  /** Odometry on {@code /odom}. */
  void topic(long stamp, long arrival, double x, String frame, String child) {
    pairing.receive(odometry(stamp, x, frame, child), arrival * MILLI);
  }

  public static Odometry odometry(long stamp, double x, String frame, String child) {
    return odometry(stamp, RigidTransform.of(new Pose(x, 0, 0)), frame, child);
  }

  static Odometry odometry(long stamp, RigidTransform motion) {
    return odometry(stamp, motion, "odom", "base_link");
  }

  private static Odometry odometry(long stamp, RigidTransform motion, String frame, String child) {
    return new Odometry(
        new Header(0, stamp * MILLI, frame),
        child,
        new PoseWithCovariance(
            new RosPose(motion.translation(), motion.rotation()), new double[36]),
        new TwistWithCovariance(new Twist(Vector3.ZERO, Vector3.ZERO), new double[36]));
  }

  void scan(long stamp, long arrival) {
    pairing.receive(scan(stamp, 1, 2, 3), arrival * MILLI);
  }

  void watch(long arrival) {
    pairing.processWaiting(arrival * MILLI);
  }

  public static LaserScan scan(long stamp, float... ranges) {
    float step = 0.5f;
    return new LaserScan(
        new Header(0, stamp * MILLI, "laser"),
        -0.5f,
        -0.5f + (ranges.length - 1) * step,
        step,
        0,
        0,
        0.1f,
        8f,
        ranges,
        new float[0]);
  }

  public static TransformStamped transform(
      String parent, String child, long stamp, RigidTransform motion) {
    return new TransformStamped(
        new Header(0, stamp * MILLI, parent),
        child,
        new Transform(motion.translation(), motion.rotation()));
  }

  /** Turned by an angle about an axis. */
  public static RigidTransform turned(double radians, double x, double y, double z) {
    double sin = Math.sin(radians / 2);
    return new RigidTransform(
        Vector3.ZERO, new Quaternion(x * sin, y * sin, z * sin, Math.cos(radians / 2)));
  }

  RosRefusal onlyReason() {
    if (unused.size() != 1) {
      throw new AssertionError("not one refusal: " + unused);
    }
    return (RosRefusal) unused.get(0).refusal();
  }
}
