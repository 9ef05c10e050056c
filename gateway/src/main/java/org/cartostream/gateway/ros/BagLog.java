package org.cartostream.gateway.ros;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.ros.client.RosException;
import org.cartostream.gateway.ros.message.LaserScan;
import org.cartostream.gateway.ros.message.Odometry;
import org.cartostream.gateway.ros.message.TfMessage;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.LogFormatException;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/**
 * A ROS bag as a log, of ROS 1 or (MCAP) of ROS 2: its scans get their odometry as those of a live
 * robot do, by {@link ScanPairing}, with the recorder's clock in place of this computer's. Scans
 * and odometry are told apart from other messages by their type, so a bag's topics may have any
 * names; of several, those that a live robot's have are heard.
 *
 * <p>Every scan is one entry; entries are numbered in the order in which they are decided. No scan
 * is left out for lack of movement: the filter decides about that.
 *
 * <p>Owns the open bag and the entries that are decided and not taken yet.
 */
public final class BagLog implements LaserLog {

  private static final String USUAL_SCANS = "/scan";
  private static final String USUAL_ODOMETRY = "/odom";
  private static final String FIXED = "/tf_static";

  private final Path file;
  private final MessageFile bag;
  private final Contents contents;
  private final ScanPairing pairing;
  private final Deque<LogEntry> decided = new ArrayDeque<>();
  private final long patienceNanos;
  private int entries;
  private long lastNanos;
  private boolean ended;

  /**
   * What is read of a bag.
   *
   * @param scanTopic the laser's
   * @param scanCount how many messages it has
   * @param odometryTopic the one of {@code nav_msgs/Odometry} that is heard; empty for none
   */
  private record Contents(String scanTopic, int scanCount, String odometryTopic) {}

  private BagLog(Path file, MessageFile bag, Contents contents, RosSettings settings) {
    this.file = file;
    this.bag = bag;
    this.contents = contents;
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(settings.odometryWaitMillis());
    this.pairing = new ScanPairing(everyScan(settings), this::take, this::refuse);
  }

  /** True if a file begins as a bag of format 2.0 or an MCAP file does. */
  public static boolean isBag(Path file) throws IOException {
    return MessageFile.isOne(file);
  }

  /**
   * Opens a bag; it is read once now to count its scans.
   *
   * @param settings names the frames
   * @throws LogFormatException if it is no bag, has no scans, those of several lasers without one
   *     on {@code /scan}, or several odometries and none of them on {@code /tf} or {@code /odom}
   * @throws IOException if it cannot be read
   */
  public static BagLog open(Path file, RosSettings settings) throws IOException {
    Contents contents = contents(file, FrameTree.name(settings.odomFrame()));
    return new BagLog(file, MessageFile.open(file), contents, settings);
  }

  private static Contents contents(Path file, String odomFrame) throws IOException {
    Map<String, Integer> scans = new TreeMap<>();
    Set<String> odometries = new TreeSet<>();
    boolean onTf = false;
    try (MessageFile bag = MessageFile.open(file)) {
      for (MessageFile.Recorded each = bag.next(); each != null; each = bag.next()) {
        if (each.is(LaserScan.TYPE)) {
          scans.merge(each.topic(), 1, Integer::sum);
        } else if (each.is(Odometry.TYPE)) {
          odometries.add(each.topic());
        } else if (!onTf && each.is(TfMessage.TYPE) && !each.topic().endsWith(FIXED)) {
          onTf = isOdometry(each.as(TfMessage.TYPE), odomFrame);
        }
      }
    } catch (RosException e) {
      throw damaged(file, e);
    }
    String scanTopic = scanTopic(file, scans);
    return new Contents(scanTopic, scans.get(scanTopic), odometryTopic(file, odometries, onTf));
  }

  private static boolean isOdometry(TfMessage message, String odomFrame) {
    return message.transforms().stream()
        .anyMatch(each -> FrameTree.name(each.header().frameId()).equals(odomFrame));
  }

  private static String scanTopic(Path file, Map<String, Integer> scans) throws LogFormatException {
    if (scans.isEmpty()) {
      throw new LogFormatException(file + " has no sensor_msgs/LaserScan messages");
    }
    if (scans.size() > 1 && !scans.containsKey(USUAL_SCANS)) {
      throw new LogFormatException(
          file + " has the scans of several lasers, " + scans.keySet() + ", and none on /scan");
    }
    return scans.size() == 1 ? scans.keySet().iterator().next() : USUAL_SCANS;
  }

  /** Two odometries differ, and a way that leaps from one to the other is none. */
  private static String odometryTopic(Path file, Set<String> topics, boolean onTf)
      throws LogFormatException {
    if (topics.size() > 1 && !topics.contains(USUAL_ODOMETRY)) {
      if (onTf) {
        return "";
      }
      throw new LogFormatException(
          file
              + " has several odometries, "
              + topics
              + ", and none on /tf or /odom; keep one of them (rosbag filter, mcap filter)");
    }
    return topics.size() == 1 ? topics.iterator().next() : USUAL_ODOMETRY;
  }

  private static LogFormatException damaged(Path file, RosException e) {
    return new LogFormatException(file + " is damaged: " + e.getMessage(), e);
  }

  private static RosSettings everyScan(RosSettings settings) {
    return Settings.with(
        settings,
        Map.of("linearUpdateMetres", "0", "angularUpdateRadians", "0", "throttleScans", "1"));
  }

  @Override
  public int scanCount() {
    return contents.scanCount();
  }

  @Override
  public boolean hasNext() {
    try {
      while (decided.isEmpty() && !ended) {
        advance();
      }
      return !decided.isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public LogEntry next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the bag has no more than its " + scanCount() + " scans");
    }
    return decided.remove();
  }

  private void advance() throws IOException {
    MessageFile.Recorded recorded = bag.next();
    if (recorded == null) {
      ended = true;
      // Nothing more comes: whoever waits has waited enough, and odometry is silent.
      pairing.watch(lastNanos + patienceNanos + Track.LONGEST_GAP_NANOS);
      return;
    }
    try {
      hear(recorded);
    } catch (RosException e) {
      throw damaged(file, e);
    }
  }

  private void hear(MessageFile.Recorded recorded) {
    long at = recorded.atNanos();
    lastNanos = at;
    String topic = recorded.topic();
    if (recorded.is(LaserScan.TYPE) && topic.equals(contents.scanTopic())) {
      pairing.hear(recorded.as(LaserScan.TYPE), at);
    } else if (recorded.is(TfMessage.TYPE)) {
      pairing.hear(recorded.as(TfMessage.TYPE), topic.endsWith(FIXED), at);
    } else if (recorded.is(Odometry.TYPE) && topic.equals(contents.odometryTopic())) {
      pairing.hear(recorded.as(Odometry.TYPE), at);
    }
  }

  private void take(Reading reading) {
    decided.add(new LogEntry.Taken(++entries, reading));
  }

  private void refuse(Refusal.Because why) {
    decided.add(new LogEntry.Refused(++entries, why));
  }

  @Override
  public void close() throws IOException {
    bag.close();
  }
}
