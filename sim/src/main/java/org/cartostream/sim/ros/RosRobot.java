package org.cartostream.sim.ros;

import java.util.List;
import org.cartostream.ros.message.Clock;
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
import org.cartostream.ros.node.RosNode;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * ROS topics of a simulated robot: laser on {@code /scan}, odometry on {@code /odom} and {@code
 * /tf}, the laser's mount on {@code /tf_static}, its time on {@code /clock}; frames are named as a
 * TurtleBot's. Owns the publishers.
 */
public final class RosRobot {

  private static final String ODOM = "odom";
  private static final String BASE = "base_link";
  private static final String LASER = "base_scan";
  private static final int COVARIANCES = 36;

  private final RosNode.Publisher<LaserScan> scans;
  private final RosNode.Publisher<Odometry> publishOdometry;
  private final RosNode.Publisher<TfMessage> tf;
  private final RosNode.Publisher<TfMessage> mounts;
  private final RosNode.Publisher<Clock> clock;
  private long number;

  public RosRobot(RosNode node) {
    scans = node.advertise("/scan", LaserScan.TYPE, false);
    publishOdometry = node.advertise("/odom", Odometry.TYPE, false);
    tf = node.advertise("/tf", TfMessage.TYPE, false);
    mounts = node.advertise("/tf_static", TfMessage.TYPE, true);
    clock = node.advertise("/clock", Clock.TYPE, false);
  }

  /** Returns true if scans and odometry have subscribers. */
  public boolean hasSubscribers() {
    return scans.subscribers() > 0 && publishOdometry.subscribers() > 0 && tf.subscribers() > 0;
  }

  /**
   * Publishes the robot's time, for nodes that take simulated time ({@code use_sim_time}).
   *
   * @param stampNanos time by the robot's clock
   */
  public void publishClock(long stampNanos) {
    clock.send(new Clock(stampNanos));
  }

  /** Publishes the pose of the laser on the base; later subscribers are sent it, too. */
  public void publishLaserMount(Pose laser) {
    Header header = new Header(0, 0, BASE);
    mounts.send(new TfMessage(List.of(new TransformStamped(header, LASER, transform(laser)))));
  }

  /**
   * Publishes the pose of the base by odometry.
   *
   * @param stampNanos time by the robot's clock
   */
  public void publishOdometry(long stampNanos, Pose pose) {
    Header header = new Header(number++, stampNanos, ODOM);
    Transform transform = transform(pose);
    tf.send(new TfMessage(List.of(new TransformStamped(header, BASE, transform))));
    publishOdometry.send(
        new Odometry(
            header,
            BASE,
            new PoseWithCovariance(
                new RosPose(transform.translation(), transform.rotation()),
                new double[COVARIANCES]),
            new TwistWithCovariance(
                new Twist(Vector3.ZERO, Vector3.ZERO), new double[COVARIANCES])));
  }

  /**
   * Publishes a scan.
   *
   * @param stampNanos time by the robot's clock
   */
  public void publishScan(long stampNanos, Scan scan) {
    double last = scan.startAngle() + (scan.beams() - 1) * scan.angleStep();
    scans.send(
        new LaserScan(
            new Header(number++, stampNanos, LASER),
            (float) scan.startAngle(),
            (float) last,
            (float) scan.angleStep(),
            0,
            0,
            (float) scan.minRange(),
            (float) scan.maxRange(),
            scan.ranges(),
            new float[0]));
  }

  private static Transform transform(Pose pose) {
    double half = pose.theta() / 2;
    return new Transform(
        new Vector3(pose.x(), pose.y(), 0), new Quaternion(0, 0, Math.sin(half), Math.cos(half)));
  }
}
