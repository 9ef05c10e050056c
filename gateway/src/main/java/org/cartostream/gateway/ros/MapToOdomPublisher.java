package org.cartostream.gateway.ros;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.gateway.ros.tf.TransformTree;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.Transform;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.ros.node.RosNode;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.JumpDetector;

/**
 * Publishes the transform from the map to odometry's origin on {@code /tf}: it converts the robot's
 * odometry pose into its pose in the map (REP 105). Until the first answer the transform is the
 * identity; if the robot is searched for first, nothing is sent before it is found.
 *
 * <p>Owns the newest such transform, and the newest {@link Correction} in it, by which it may jump:
 * each is announced once, and so is each larger jump of the robot's pose without one. Thread-safe.
 */
final class MapToOdomPublisher {

  /**
   * Sudden moves of a robot's pose: the newest correction, and the jumps without a correction.
   *
   * @param correction the newest correction
   * @param jumps number of announced jumps without a correction, see {@link
   *     JumpDetector#ANNOUNCED_METRES}
   */
  record Moves(Correction correction, long jumps) {}

  private final RosSettings settings;
  private final RobotClock clock;
  private final RosNode.Publisher<TfMessage> tf;
  private final Consumer<String> announcements;
  private final long delayNanos;
  private final JumpDetector jumpDetector = new JumpDetector();
  private Pose mapToOdom = Pose.ORIGIN;
  private Correction correction = Correction.NONE;
  private long jumps;
  private long count;

  /** True while the robot is searched for; nothing is published then. */
  private boolean isHeld;

  /** The stamp sent last; -1 before the first. */
  private long sentNanos = -1;

  /** Number of times that the robot's clock had been set back at the latest transform. */
  private int sentSetBacks;

  /**
   * @param announcements receives a sentence for people when a correction has moved the robot's
   *     pose, or when it jumps without one
   */
  MapToOdomPublisher(
      RosNode.Publisher<TfMessage> tf,
      RosSettings settings,
      RobotClock clock,
      Consumer<String> announcements) {
    this.settings = settings;
    this.clock = clock;
    this.tf = tf;
    this.announcements = announcements;
    this.delayNanos = (long) (settings.transformDelaySeconds() * TimeUnit.SECONDS.toNanos(1));
  }

  /**
   * Sets the transform by a pose of the base, and the odometry pose {@code inOdom} at the same
   * time.
   *
   * @param local pose of the base in the filter's frame
   * @param newest newest correction, which maps {@code local} to the map
   */
  synchronized void correct(Pose local, Correction newest, Pose inOdom) {
    isHeld = false;
    mapToOdom = newest.apply(local.then(inOdom.inverse()));
    double jump = jumpDetector.next(newest.apply(local), inOdom, newest.number());
    if (jump > JumpDetector.ANNOUNCED_METRES) {
      jumps++;
      announcements.accept(JumpDetector.sentence(jump));
    }
    if (newest.number() > correction.number()) {
      correction = newest;
      announcements.accept(newest.sentence());
    }
  }

  /** Returns the sudden moves of the robot's pose so far. */
  synchronized Moves moves() {
    return new Moves(correction, jumps);
  }

  /** Resumes a run; this correction was announced before. */
  synchronized void resume(Correction announced) {
    correction = announced;
    jumpDetector.reset();
  }

  /** Publishes nothing from now on until a pose is known. */
  synchronized void hold() {
    isHeld = true;
  }

  /** Resets the transform to the identity, because a new map begins. */
  synchronized void reset() {
    isHeld = false;
    mapToOdom = Pose.ORIGIN;
    correction = Correction.NONE;
    jumpDetector.reset();
  }

  /**
   * Publishes the transform, stamped by the robot's clock a little ahead of now. Stamps only grow,
   * unless that clock was set back: in every listening node tf2 warns of each repeated stamp, and
   * keeps the transform that it got first.
   *
   * <p>Nothing is sent as long as the robot's clock is not surely known: tf2 takes nothing that
   * lies more than 10 s before the newest stamp it was given, so one stamp far in the future would
   * make every listening node ignore all transforms after it.
   *
   * @param hereNanos nanoseconds since 1970-01-01 UTC by this computer's clock
   */
  synchronized void publish(long hereNanos) {
    if (isHeld || !clock.isSure(hereNanos)) {
      return;
    }
    long stamp = Math.max(0, clock.robotNanos(hereNanos) + delayNanos);
    int setBacks = clock.setBacks();
    if (stamp <= sentNanos && setBacks == sentSetBacks) {
      return;
    }
    sentNanos = stamp;
    sentSetBacks = setBacks;
    RigidTransform motion = RigidTransform.of(mapToOdom);
    tf.send(
        new TfMessage(
            List.of(
                new TransformStamped(
                    new Header(count++, stamp, TransformTree.name(settings.mapFrame())),
                    TransformTree.name(settings.odomFrame()),
                    new Transform(motion.translation(), motion.rotation())))));
  }
}
