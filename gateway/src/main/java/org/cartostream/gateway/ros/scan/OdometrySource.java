package org.cartostream.gateway.ros.scan;

import static java.util.stream.Collectors.joining;
import static org.cartostream.gateway.ros.scan.RosRefusal.CLOCK_SKEW;
import static org.cartostream.gateway.ros.scan.RosRefusal.NO_ODOMETRY;
import static org.cartostream.gateway.ros.scan.RosRefusal.STAMP_TOO_OLD;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.gateway.ros.tf.TransformBuffer;
import org.cartostream.gateway.ros.tf.TransformLookup;
import org.cartostream.gateway.ros.tf.TransformTree;
import org.cartostream.ros.message.Odometry;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.slam.sensor.Refusal;

/**
 * Looks up the base's pose by odometry: on {@code /tf}, as slam_gmapping does, or on {@code /odom}
 * where {@code /tf} has none.
 *
 * <p>Owns the messages of {@code /odom}, and the choice between the two: the first source that has
 * the pose of a scan stays in use, because a change to the other, which may differ, would look like
 * a jump. Not for several threads.
 */
public final class OdometrySource {

  private enum Choice {
    OPEN,
    TF,
    TOPIC
  }

  /**
   * The topics that odometry may come from.
   *
   * @param transforms the topic of transforms
   * @param messages the topic of {@code nav_msgs/Odometry}; empty if there is none
   * @param isNamed true if the settings name the topic of messages, so that transforms are not used
   */
  public record Topics(String transforms, String messages, boolean isNamed) {}

  private final TransformTree frames;
  private final Topics topics;
  private final String odomFrame;
  private final String baseFrame;
  private final String mapFrame;
  private final TransformBuffer onTopic = new TransformBuffer();
  private Choice choice;
  private String topicChild = "";

  /**
   * Fault of the latest message on the topic of odometry other than a wrong child frame; else
   * empty.
   */
  private String wrongOnTopic = "";

  private boolean received;
  private long lastReceivedNanos;

  OdometrySource(TransformTree frames, RosSettings settings, Topics topics) {
    this.frames = frames;
    this.topics = topics;
    this.choice = topics.isNamed() ? Choice.TOPIC : Choice.OPEN;
    this.odomFrame = TransformTree.name(settings.odomFrame());
    this.baseFrame = TransformTree.name(settings.baseFrame());
    this.mapFrame = TransformTree.name(settings.mapFrame());
  }

  /** Takes a transform of {@code /tf}; true if it is odometry. */
  boolean receive(TransformStamped transform, long nanoTime) {
    if (!TransformTree.name(transform.header().frameId()).equals(odomFrame)) {
      return false;
    }
    if (choice != Choice.TOPIC) {
      onReceived(nanoTime);
    }
    return true;
  }

  /** Takes a message of the topic of odometry. An empty frame name counts as the odometry frame. */
  void receive(Odometry odometry, long nanoTime) {
    String frame = TransformTree.name(odometry.header().frameId());
    RigidTransform pose = RigidTransform.of(odometry.pose().pose());
    if (!frame.isEmpty() && !frame.equals(odomFrame)) {
      wrongOnTopic = "the frame is '" + frame + "'";
    } else if (!pose.isValid()) {
      wrongOnTopic = "is no pose: " + pose.whyInvalid();
    } else {
      wrongOnTopic = "";
      topicChild = TransformTree.name(odometry.childFrameId());
      onTopic.add(odometry.header().stamp(), pose);
      if (choice != Choice.TF) {
        onReceived(nanoTime);
      }
    }
  }

  private void onReceived(long nanoTime) {
    received = true;
    lastReceivedNanos = nanoTime;
  }

  /**
   * Looks up the base's pose in the odometry frame at a time.
   *
   * @param lastChance true if there will be no more waiting for {@code /tf}
   */
  TransformLookup at(long stampNanos, boolean lastChance) {
    TransformLookup byTf =
        choice == Choice.TOPIC
            ? new TransformLookup.Unconnected()
            : frames.at(odomFrame, baseFrame, stampNanos);
    if (byTf instanceof TransformLookup.Found) {
      choice = Choice.TF;
    }
    boolean askTopic =
        choice == Choice.TOPIC
            || (choice == Choice.OPEN && lastChance && byTf instanceof TransformLookup.Unconnected);
    if (!askTopic) {
      return byTf;
    }
    TransformLookup byTopic = byTopic(stampNanos);
    if (byTopic instanceof TransformLookup.Found) {
      choice = Choice.TOPIC;
    }
    return byTopic;
  }

  /**
   * Looks up the pose by the topic's messages, which may be of another frame than the base, such as
   * its footprint.
   */
  private TransformLookup byTopic(long stampNanos) {
    TransformLookup ofChild = onTopic.at(stampNanos);
    if (!(ofChild instanceof TransformLookup.Found found) || topicChild.isEmpty()) {
      return ofChild;
    }
    return frames
        .latest(topicChild, baseFrame)
        .<TransformLookup>map(base -> new TransformLookup.Found(found.motion().then(base)))
        .orElse(new TransformLookup.Unconnected());
  }

  /** Returns the name of the source that is used, for people. */
  String name() {
    return switch (choice) {
      case OPEN -> "none yet";
      case TF -> topics.transforms();
      case TOPIC -> topics.messages();
    };
  }

  /** Returns why a scan has no pose, when its waiting time is over. */
  Refusal.Reason refusalFor(TransformLookup missing, long stampNanos, long nanoTime) {
    if (missing instanceof TransformLookup.TooOld old) {
      return STAMP_TOO_OLD.because(
          seconds(old.oldestNanos() - stampNanos) + " before the oldest odometry that is kept");
    }
    if (missing instanceof TransformLookup.Gap gap) {
      return NO_ODOMETRY.because("nothing came for " + seconds(gap.nanos()) + " around its stamp");
    }
    if (missing instanceof TransformLookup.NotYet late) {
      return whyNotYet(stampNanos - late.newestNanos(), nanoTime - lastReceivedNanos);
    }
    String onTopic = whatIsWrongOnTopic();
    if (choice == Choice.TOPIC && received && !onTopic.isEmpty()) {
      return NO_ODOMETRY.because(onTopic);
    }
    return NO_ODOMETRY.because(
        (received ? nothingLeadsFrom(odomFrame) : nothingOnEither())
            + frames.whyInvalid(baseFrame)
            + frames.faults(baseFrame).stream().map(fault -> "; " + fault).collect(joining())
            + (onTopic.isEmpty() ? "" : "; " + onTopic)
            + inAnother());
  }

  private String nothingLeadsFrom(String frame) {
    String way = frames.faults(baseFrame).isEmpty() ? "nothing leads" : "no single way leads";
    return way + " from '" + frame + "' to '" + baseFrame + "'";
  }

  /** Returns why odometry on the topic cannot be used; empty if it can, or if none has come. */
  private String whatIsWrongOnTopic() {
    if (!topicChild.isEmpty() && frames.latest(topicChild, baseFrame).isEmpty()) {
      return "on %s the child frame is '%s', and %s"
          .formatted(topics.messages(), topicChild, nothingLeadsFrom(topicChild));
    }
    return wrongOnTopic.isEmpty() ? "" : "on " + topics.messages() + " " + wrongOnTopic;
  }

  /**
   * Returns a hint for people if the base moves in another frame than the configured odometry
   * frame, as with fused odometry; else empty.
   */
  private String inAnother() {
    return frames
        .moving(baseFrame, mapFrame)
        .filter(frame -> !frame.equals(odomFrame))
        .map(frame -> "; '" + baseFrame + "' moves in '" + frame + "': ros.odomFrame could name it")
        .orElse("");
  }

  private String nothingOnEither() {
    if (topics.isNamed()) {
      return "no message on " + topics.messages();
    }
    String onTf = "transform from '" + odomFrame + "' on " + topics.transforms();
    return topics.messages().isEmpty()
        ? "no " + onTf
        : "neither a " + onTf + " nor a message on " + topics.messages();
  }

  /**
   * Returns why odometry of a scan's time has not come: it has stopped, or its stamps are of
   * another clock.
   */
  private Refusal.Reason whyNotYet(long aheadNanos, long silentNanos) {
    if (silentNanos < TransformBuffer.MAX_GAP_NANOS) {
      return CLOCK_SKEW.because(
          seconds(aheadNanos) + " ahead of the newest odometry, though both come now");
    }
    return NO_ODOMETRY.because("the last is " + seconds(aheadNanos) + " older than the scan");
  }

  static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.2f s", nanos / (double) TimeUnit.SECONDS.toNanos(1));
  }
}
