package org.cartostream.gateway.ros;

import static org.cartostream.gateway.ros.RosRefusal.CLOCK_SKEW;
import static org.cartostream.gateway.ros.RosRefusal.NO_ODOMETRY;
import static org.cartostream.gateway.ros.RosRefusal.STAMP_TOO_OLD;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.ros.message.Odometry;
import org.cartostream.gateway.ros.message.TransformStamped;
import org.cartostream.slam.sensor.Refusal;

/**
 * Where the base is by odometry: from {@code /tf}, as slam_gmapping takes it, or from {@code /odom}
 * where {@code /tf} has none.
 *
 * <p>Owns what came on {@code /odom}, and the choice between the two: the first that serves a scan
 * stays, because the two may differ, and a change from one to the other would look like a jump. Not
 * for several threads.
 */
final class OdometrySource {

  private enum Choice {
    OPEN,
    TF,
    TOPIC
  }

  /**
   * Where odometry may come from, as people know the topics.
   *
   * @param transforms the topic of transforms
   * @param messages that of {@code nav_msgs/Odometry}; empty if there is none
   * @param isNamed true if somebody named the latter, so that transforms are not asked
   */
  record Topics(String transforms, String messages, boolean isNamed) {}

  private final FrameTree frames;
  private final Topics topics;
  private final String odomFrame;
  private final String baseFrame;
  private final String mapFrame;
  private final Track onTopic = new Track();
  private Choice choice;
  private String topicChild = "";

  /** What is wrong with what came on the topic, but for the child's frame; else empty. */
  private String wrongOnTopic = "";

  private boolean heard;
  private long heardAtNanos;

  OdometrySource(FrameTree frames, RosSettings settings, Topics topics) {
    this.frames = frames;
    this.topics = topics;
    this.choice = topics.isNamed() ? Choice.TOPIC : Choice.OPEN;
    this.odomFrame = FrameTree.name(settings.odomFrame());
    this.baseFrame = FrameTree.name(settings.baseFrame());
    this.mapFrame = FrameTree.name(settings.mapFrame());
  }

  /** A transform came on {@code /tf}; true if it is odometry. */
  boolean hear(TransformStamped transform, long nanoTime) {
    if (!FrameTree.name(transform.header().frameId()).equals(odomFrame)) {
      return false;
    }
    if (choice != Choice.TOPIC) {
      heardAt(nanoTime);
    }
    return true;
  }

  /** A message came on the topic. One that names no frame can mean none but odometry's. */
  void hear(Odometry odometry, long nanoTime) {
    String frame = FrameTree.name(odometry.header().frameId());
    RigidMotion pose = RigidMotion.of(odometry.pose().pose());
    if (!frame.isEmpty() && !frame.equals(odomFrame)) {
      wrongOnTopic = "the frame is '" + frame + "'";
    } else if (!pose.makesSense()) {
      wrongOnTopic = "is no pose: " + pose.wrong();
    } else {
      wrongOnTopic = "";
      topicChild = FrameTree.name(odometry.childFrameId());
      onTopic.add(odometry.header().stamp(), pose);
      if (choice != Choice.TF) {
        heardAt(nanoTime);
      }
    }
  }

  private void heardAt(long nanoTime) {
    heard = true;
    heardAtNanos = nanoTime;
  }

  /**
   * Where the base was at a time.
   *
   * @param lastChance true if there will be no more waiting for {@code /tf}
   */
  Lookup at(long stampNanos, boolean lastChance) {
    Lookup byTf =
        choice == Choice.TOPIC
            ? new Lookup.Unconnected()
            : frames.at(odomFrame, baseFrame, stampNanos);
    if (byTf instanceof Lookup.Found) {
      choice = Choice.TF;
    }
    boolean askTopic =
        choice == Choice.TOPIC
            || (choice == Choice.OPEN && lastChance && byTf instanceof Lookup.Unconnected);
    if (!askTopic) {
      return byTf;
    }
    Lookup byTopic = byTopic(stampNanos);
    if (byTopic instanceof Lookup.Found) {
      choice = Choice.TOPIC;
    }
    return byTopic;
  }

  /** The pose on the topic may be that of another frame than the base, as of its footprint. */
  private Lookup byTopic(long stampNanos) {
    Lookup ofChild = onTopic.at(stampNanos);
    if (!(ofChild instanceof Lookup.Found found) || topicChild.isEmpty()) {
      return ofChild;
    }
    return frames
        .latest(topicChild, baseFrame)
        .<Lookup>map(base -> new Lookup.Found(found.motion().then(base)))
        .orElse(new Lookup.Unconnected());
  }

  /** Which of the two serves, for people. */
  String name() {
    return switch (choice) {
      case OPEN -> "none yet";
      case TF -> topics.transforms();
      case TOPIC -> topics.messages();
    };
  }

  /** Why there was no pose for a scan, when waiting is over. */
  Refusal.Because why(Lookup missing, long stampNanos, long nanoTime) {
    if (missing instanceof Lookup.TooOld old) {
      return STAMP_TOO_OLD.because(
          seconds(old.oldestNanos() - stampNanos) + " before the oldest odometry that is kept");
    }
    if (missing instanceof Lookup.Gap gap) {
      return NO_ODOMETRY.because("nothing came for " + seconds(gap.nanos()) + " around its stamp");
    }
    if (missing instanceof Lookup.NotYet late) {
      return whyNotYet(stampNanos - late.newestNanos(), nanoTime - heardAtNanos);
    }
    String onTopic = whatIsWrongOnTopic();
    if (choice == Choice.TOPIC && heard && !onTopic.isEmpty()) {
      return NO_ODOMETRY.because(onTopic);
    }
    return NO_ODOMETRY.because(
        (heard ? nothingLeadsFrom(odomFrame) : nothingOnEither())
            + frames.wrong(baseFrame)
            + (onTopic.isEmpty() ? "" : "; " + onTopic)
            + inAnother());
  }

  private String nothingLeadsFrom(String frame) {
    return "nothing leads from '" + frame + "' to '" + baseFrame + "'";
  }

  /** Why what came on the topic is of no use; empty if nothing came, or it is of use. */
  private String whatIsWrongOnTopic() {
    if (!topicChild.isEmpty() && frames.latest(topicChild, baseFrame).isEmpty()) {
      return "on "
          + topics.messages()
          + " the child frame is '"
          + topicChild
          + "', and "
          + nothingLeadsFrom(topicChild);
    }
    return wrongOnTopic.isEmpty() ? "" : "on " + topics.messages() + " " + wrongOnTopic;
  }

  /** Robots whose odometry is fused call its frame otherwise. */
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

  /** Odometry that still comes, but with earlier stamps, is of another clock. */
  private Refusal.Because whyNotYet(long aheadNanos, long silentNanos) {
    if (silentNanos < Track.LONGEST_GAP_NANOS) {
      return CLOCK_SKEW.because(
          seconds(aheadNanos) + " ahead of the newest odometry, though both come now");
    }
    return NO_ODOMETRY.because("the last came " + seconds(silentNanos) + " ago");
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.2f s", nanos / (double) TimeUnit.SECONDS.toNanos(1));
  }
}
