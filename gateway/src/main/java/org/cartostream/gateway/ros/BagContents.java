package org.cartostream.gateway.ros;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.ros.client.RosException;
import org.cartostream.gateway.ros.message.LaserScan;
import org.cartostream.gateway.ros.message.Odometry;
import org.cartostream.gateway.ros.message.TfMessage;
import org.cartostream.slam.log.LogFormatException;

/**
 * What a bag has: read once from front to back before its scans are. Its scans and odometries are
 * told by their type; of several topics that is taken which a live robot has.
 *
 * <p>Owns the counts, and where the messages are not in the order of time.
 */
final class BagContents {

  private static final String USUAL_SCANS = "/scan";
  private static final String USUAL_ODOMETRY = "/odom";
  private static final String FIXED = "/tf_static";

  private final Path file;
  private final String odomFrame;
  private final Map<String, Integer> scans = new TreeMap<>();
  private final Set<String> odometries = new TreeSet<>();
  private boolean odometryOnTf;
  private long latestNanos = Long.MIN_VALUE;
  private String disorder = "";

  private BagContents(Path file, String odomFrame) {
    this.file = file;
    this.odomFrame = odomFrame;
  }

  static BagContents of(Path file, RosSettings settings) throws IOException {
    BagContents contents = new BagContents(file, FrameTree.name(settings.odomFrame()));
    try (MessageFile bag = MessageFile.open(file)) {
      for (MessageFile.Recorded each = bag.next(); each != null; each = bag.next()) {
        contents.take(each);
      }
    } catch (RosException e) {
      throw new LogFormatException(file + " is damaged: " + e.getMessage(), e);
    }
    return contents;
  }

  /** True if a topic's transforms hold for all times. */
  static boolean isFixed(String topic) {
    return topic.endsWith(FIXED);
  }

  private void take(MessageFile.Recorded message) {
    if (message.is(LaserScan.TYPE)) {
      scans.merge(message.topic(), 1, Integer::sum);
    } else if (message.is(Odometry.TYPE)) {
      odometries.add(message.topic());
    } else if (message.is(TfMessage.TYPE)) {
      odometryOnTf |=
          !odometryOnTf
              && !isFixed(message.topic())
              && isOdometry(message.as(TfMessage.TYPE), odomFrame);
    } else {
      return;
    }
    latestNanos = Math.max(latestNanos, message.atNanos());
    if (disorder.isEmpty() && latestNanos - message.atNanos() > Track.LONGEST_GAP_NANOS) {
      disorder = disorder(message.atNanos(), latestNanos);
    }
  }

  private static boolean isOdometry(TfMessage message, String odomFrame) {
    return message.transforms().stream()
        .anyMatch(each -> FrameTree.name(each.header().frameId()).equals(odomFrame));
  }

  private static String disorder(long nanos, long beforeNanos) {
    double second = TimeUnit.SECONDS.toNanos(1);
    return String.format(
        Locale.ROOT,
        "a message of %.2f s comes behind one of %.2f s",
        nanos / second,
        beforeNanos / second);
  }

  /**
   * The laser's topic.
   *
   * @throws LogFormatException if there is none, or several and none is {@code /scan}
   */
  String scanTopic() throws LogFormatException {
    if (scans.isEmpty()) {
      throw new LogFormatException(file + " has no sensor_msgs/LaserScan messages");
    }
    if (scans.size() > 1 && !scans.containsKey(USUAL_SCANS)) {
      throw new LogFormatException(
          file
              + " has the scans of several lasers, "
              + scans.keySet()
              + ", and none on /scan; keep one of them (rosbag filter, mcap filter)");
    }
    return scans.size() == 1 ? scans.keySet().iterator().next() : USUAL_SCANS;
  }

  /** How many scans the laser's topic has. */
  int scanCount() throws LogFormatException {
    return scans.get(scanTopic());
  }

  /**
   * The topic of {@code nav_msgs/Odometry} that is heard; empty for none. Two odometries differ,
   * and a way that leaps from one to the other is none.
   *
   * @throws LogFormatException if there are several, none on {@code /odom} and none on {@code /tf}
   */
  String odometryTopic() throws LogFormatException {
    if (odometries.size() > 1 && !odometries.contains(USUAL_ODOMETRY)) {
      if (odometryOnTf) {
        return "";
      }
      throw new LogFormatException(
          file
              + " has several odometries, "
              + odometries
              + ", and none on /tf or /odom; keep one of them (rosbag filter, mcap filter)");
    }
    return odometries.size() == 1 ? odometries.iterator().next() : USUAL_ODOMETRY;
  }

  /** Where the messages are not in the order of time, for people; empty if they are. */
  String disorder() {
    return disorder;
  }
}
