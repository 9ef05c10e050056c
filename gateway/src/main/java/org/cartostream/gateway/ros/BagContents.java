package org.cartostream.gateway.ros;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
 * told by their type; of several topics that is taken which somebody named, else the one that a
 * live robot has.
 *
 * <p>Owns the counts, and where the messages are not in the order of time.
 */
final class BagContents {

  private static final String USUAL_SCANS = "/scan";
  private static final String USUAL_ODOMETRY = "/odom";
  private static final String FIXED = "/tf_static";

  private static final String SCAN_KEY = "ros.bagScanTopic";
  private static final String ODOMETRY_KEY = "ros.bagOdometryTopic";

  private final Path file;
  private final RosSettings settings;
  private final String odomFrame;
  private final Map<String, Integer> scans = new TreeMap<>();
  private final Set<String> odometries = new TreeSet<>();

  /** Topics of transforms among which there is odometry. */
  private final Set<String> odometryTfs = new TreeSet<>();

  private long latestNanos = Long.MIN_VALUE;
  private String disorder = "";

  private BagContents(Path file, RosSettings settings) {
    this.file = file;
    this.settings = settings;
    this.odomFrame = FrameTree.name(settings.odomFrame());
  }

  static BagContents of(Path file, RosSettings settings) throws IOException {
    BagContents contents = new BagContents(file, settings);
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
      if (!odometryTfs.contains(message.topic())
          && !isFixed(message.topic())
          && isOdometry(message.as(TfMessage.TYPE), odomFrame)) {
        odometryTfs.add(message.topic());
      }
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
   * @throws LogFormatException if there is none, the one that is named is none, or none is named of
   *     several and none is {@code /scan}
   */
  String scanTopic() throws LogFormatException {
    if (scans.isEmpty()) {
      throw new LogFormatException(file + " has no sensor_msgs/LaserScan messages");
    }
    if (!settings.bagScanTopic().isEmpty()) {
      return named(settings.bagScanTopic(), scans.keySet(), "laser scans", SCAN_KEY);
    }
    if (scans.size() > 1 && !scans.containsKey(USUAL_SCANS)) {
      throw new LogFormatException(
          file
              + " has the scans of several lasers, "
              + scans.keySet()
              + ", and none on /scan; name the one to take by the setting "
              + SCAN_KEY);
    }
    return scans.size() == 1 ? scans.keySet().iterator().next() : USUAL_SCANS;
  }

  /** The topic that is meant; where it lacks its first slash, that is forgiven. */
  private String named(String name, Set<String> topics, String what, String key)
      throws LogFormatException {
    for (String topic : List.of(name, "/" + name)) {
      if (topics.contains(topic)) {
        return topic;
      }
    }
    throw new LogFormatException(
        file
            + " has no "
            + what
            + " on '"
            + name
            + "', which the setting "
            + key
            + " names; "
            + (topics.isEmpty() ? "there is none at all" : "there are some on " + topics));
  }

  /** How many scans the laser's topic has. */
  int scanCount() throws LogFormatException {
    return scans.get(scanTopic());
  }

  /**
   * The topic of {@code nav_msgs/Odometry} that is heard. Two odometries differ, and a way that
   * leaps from one to the other is none.
   *
   * @throws LogFormatException if the one that is named is none, or none is named of several, none
   *     on {@code /odom} and none on {@code /tf}
   */
  OdometrySource.Topic odometry() throws LogFormatException {
    if (!settings.bagOdometryTopic().isEmpty()) {
      String topic = named(settings.bagOdometryTopic(), allOdometries(), "odometry", ODOMETRY_KEY);
      return odometryTfs.contains(topic)
          ? OdometrySource.Topic.NONE
          : new OdometrySource.Topic(topic, true);
    }
    if (odometries.size() > 1 && !odometries.contains(USUAL_ODOMETRY)) {
      if (!odometryTfs.isEmpty()) {
        return OdometrySource.Topic.NONE;
      }
      throw new LogFormatException(
          file
              + " has several odometries, "
              + odometries
              + ", and none on /tf or /odom; name the one to take by the setting "
              + ODOMETRY_KEY);
    }
    return odometries.size() == 1
        ? new OdometrySource.Topic(odometries.iterator().next(), false)
        : OdometrySource.Topic.USUAL;
  }

  private Set<String> allOdometries() {
    Set<String> all = new TreeSet<>(odometries);
    all.addAll(odometryTfs);
    return all;
  }

  /** What was chosen where there was a choice that nobody made, for people. */
  List<String> notices() {
    List<String> notices = new ArrayList<>();
    if (settings.bagScanTopic().isEmpty() && scans.size() > 1) {
      notices.add(choice("lasers", scans.keySet(), USUAL_SCANS, SCAN_KEY));
    }
    // Most robots tell the same on /tf and on one topic.
    if (settings.bagOdometryTopic().isEmpty() && odometries.size() > 1) {
      String taken =
          odometryTfs.isEmpty()
              ? USUAL_ODOMETRY
              : "/tf" + (odometries.contains(USUAL_ODOMETRY) ? ", or else " + USUAL_ODOMETRY : "");
      notices.add(choice("odometries", allOdometries(), taken, ODOMETRY_KEY));
    }
    return notices;
  }

  private static String choice(String what, Set<String> topics, String taken, String key) {
    return String.format(
        "of the %s on %s the one on %s is taken; the setting %s names another",
        what, topics, taken, key);
  }

  /** Where the messages are not in the order of time, for people; empty if they are. */
  String disorder() {
    return disorder;
  }
}
