package org.cartostream.gateway.ros.bag;

import static org.cartostream.gateway.ros.scan.RosRefusal.CLOCK_SKEW;
import static org.cartostream.gateway.ros.scan.RosRefusal.DAMAGED_MESSAGE;
import static org.cartostream.gateway.ros.scan.RosRefusal.NOT_IN_ORDER;
import static org.cartostream.gateway.ros.scan.RosRefusal.NO_ODOMETRY;
import static org.cartostream.gateway.ros.scan.RosRefusal.NO_TRANSFORM;
import static org.cartostream.gateway.ros.scan.RosRefusal.STAMP_TOO_OLD;
import static org.cartostream.gateway.ros.scan.RosRefusal.TIME_SET_BACK;
import static org.cartostream.gateway.ros.scan.RosRefusal.TOO_MANY_WAITING;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.gateway.ros.scan.ScanOdometrySync;
import org.cartostream.ros.RosException;
import org.cartostream.ros.bag.BagFormatException;
import org.cartostream.ros.bag.MessageFile;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.settings.Settings;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.LogFormat;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/**
 * A ROS bag as a log, of ROS 1 or of ROS 2: its scans get their odometry by {@link
 * ScanOdometrySync}, as those of a live robot do. Here they are paired by header stamps alone,
 * however late a message was recorded, and static transforms are known from the beginning. {@link
 * BagContents} selects the topics.
 *
 * <p>Every scan is one entry; entries are numbered in the order in which their readings or refusals
 * are known. No scan is left out for lack of movement: the filter decides about that. If after a
 * set-back of time the robot is elsewhere, or the same drive is repeated, the map ends there: the
 * other scans are refused.
 *
 * <p>Owns the bag, opened twice, for scans and for motion, and the entries that were not taken yet.
 */
public final class BagLog implements LaserLog {

  /** Refusals that messages far out of the order of time can cause. */
  private static final Set<Refusal> OF_DISORDER =
      Set.of(NO_ODOMETRY, STAMP_TOO_OLD, CLOCK_SKEW, NO_TRANSFORM, TOO_MANY_WAITING);

  /**
   * Stands for the time of arrival, which a bag does not need: a scan waits until all its odometry
   * was read, not for a time.
   */
  private static final long NO_TIME = 0;

  private static final int LONG_WAIT_MILLIS = 60_000;

  private final RosSettings settings;
  private final MessageFile bag;
  private final BagTransforms transforms;
  private final BagMotion motion;
  private final BagClock clock;
  private final String scanTopic;
  private final int scanCount;
  private final List<String> notices;
  private final Optional<String> damage;
  private final String disorder;
  private final ScanOdometrySync scanSync;
  private final Deque<LogEntry> decided = new ArrayDeque<>();
  private int entries;
  private boolean ended;

  private BagLog(List<Path> files, BagContents contents, RosSettings settings) throws IOException {
    this.settings = settings;
    this.transforms = contents.transforms();
    this.scanTopic = contents.scanTopic();
    this.scanCount = contents.scanCount();
    this.damage = contents.damage();
    this.disorder = contents.disorder();
    this.clock = new BagClock(contents.scanTrack(), contents.odometryTrack());
    this.notices = new ArrayList<>(contents.notices());
    clock.notice().ifPresent(notices::add);
    if (!settings.mount().sentence().isEmpty()) {
      notices.add(settings.mount().sentence());
    }
    this.scanSync =
        new ScanOdometrySync(
            everyScan(settings), contents.odometry(), this::take, this::refuse, notices::add);
    scanSync.know(contents.scanExtents());
    contents
        .fixedTransforms()
        .forEach(
            (topic, message) -> scanSync.receive(transforms.filter(topic, message), true, NO_TIME));
    this.motion = new BagMotion(openMessages(files), transforms, contents.odometry(), scanSync);
    this.bag = openMessages(files);
  }

  /**
   * Returns the format of bags: all files that {@link MessageFile} opens. Several files are merged
   * by message, so that static transforms of one hold for all.
   *
   * @param settings frames, and the topics where a bag has several
   */
  public static LogFormat format(RosSettings settings) {
    return new LogFormat(
        "bag",
        "a ROS bag, an MCAP file, a folder or file of rosbag2",
        file -> Files.exists(file) && MessageFile.isMessageFile(file),
        files -> open(files, settings),
        "",
        false,
        List.of("ros.bagScanTopic", "ros.bagOdometryTopic", "ros.laserLagSeconds"));
  }

  /**
   * Opens a bag, or several as one log, as those of a recording that was split. The files are read
   * once now for {@link BagContents}, then until it is known whether the scans are to be
   * undistorted.
   *
   * @param settings frames, and the topics where a bag has several
   * @throws FileFormatException if a file is no bag, or the bag has no scans, nothing on a topic in
   *     the settings, no scan of the frame in the settings, clocks that never meet, files of two
   *     robots with the same frames, the scans of several lasers without one on {@code /scan},
   *     several odometries and none of them on {@code /tf} or {@code /odom}, or several topics of
   *     transforms with odometry and none of them {@code /tf}
   * @throws IOException if a file cannot be read
   */
  static BagLog open(List<Path> files, RosSettings settings) throws IOException {
    BagContents contents = BagContents.of(files, settings);
    contents.checkMount();
    contents.checkClocks();
    try (BagLog trial = new BagLog(files, contents, settings)) {
      do {
        trial.advance();
        trial.decided.clear();
      } while (trial.scanSync.isSweepOpen() && !trial.ended);
      BagLog log = new BagLog(files, contents, settings);
      log.scanSync.learnFrom(trial.scanSync);
      return log;
    }
  }

  private static RosSettings everyScan(RosSettings settings) {
    return Settings.with(
        settings,
        Map.of(
            "linearUpdateMetres", "0",
            "angularUpdateRadians", "0",
            "throttleScans", "1",
            "minIntervalSeconds", "0",
            "odometryWaitMillis", Integer.toString(LONG_WAIT_MILLIS)));
  }

  @Override
  public int scanCount() {
    return scanCount;
  }

  @Override
  public List<String> notices() {
    return notices;
  }

  @Override
  public Optional<String> damage() {
    return damage;
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

  /** Reads on until the next entry is known, or the bag is at its end. */
  private void advance() throws IOException {
    MessageFile.RecordedMessage message = nextScan();
    if (message == null) {
      ended = true;
      return;
    }
    LaserScan scan;
    try {
      scan = settings.withTrueStamp(message.as(LaserScan.TYPE));
    } catch (RosException e) {
      refuse(DAMAGED_MESSAGE.because(e.getMessage()));
      return;
    }
    long stamp = scan.header().stamp();
    clock.next(stamp);
    if (clock.isOver()) {
      refuse(TIME_SET_BACK.because(clock.notice().orElse("")));
      return;
    }
    if (clock.mayHaveOdometry(stamp)) {
      motion.readTo(stamp, scanSync.neededUntilNanos(scan), clock.epoch());
    }
    scanSync.receive(scan, NO_TIME);
    // No more odometry comes for the scan: its time of waiting is over.
    scanSync.processWaiting(TimeUnit.MILLISECONDS.toNanos(LONG_WAIT_MILLIS));
  }

  private MessageFile.RecordedMessage nextScan() throws IOException {
    while (true) {
      MessageFile.RecordedMessage message;
      try {
        message = bag.next();
      } catch (BagFormatException e) {
        throw new FileFormatException(e.getMessage(), e);
      }
      if (message != null && message.is(TfMessage.TYPE)) {
        takeFixed(message);
      }
      if (message == null || (message.is(LaserScan.TYPE) && message.topic().equals(scanTopic))) {
        return message;
      }
    }
  }

  /**
   * Takes static transforms. Of those that contradict each other, the last before a scan counts.
   */
  private void takeFixed(MessageFile.RecordedMessage message) {
    if (BagTransforms.isFixed(message.topic())) {
      try {
        TfMessage heard = transforms.filter(message.topic(), message.as(TfMessage.TYPE));
        scanSync.receive(heard, true, NO_TIME);
      } catch (RosException e) {
        // Undecodable messages were counted when the bag was read for the first time.
      }
    }
  }

  private static MessageFile openMessages(List<Path> files) throws IOException {
    try {
      return MessageFile.open(files);
    } catch (BagFormatException e) {
      throw new FileFormatException(e.getMessage(), e);
    }
  }

  private void take(Reading reading) {
    decided.add(new LogEntry.Usable(++entries, reading));
  }

  private void refuse(Refusal.Reason why) {
    boolean byDisorder = !disorder.isEmpty() && OF_DISORDER.contains(why.refusal());
    Refusal.Reason reason =
        byDisorder ? NOT_IN_ORDER.because(disorder + "; as it is: " + why) : why;
    decided.add(new LogEntry.Refused(++entries, reason));
  }

  @Override
  public void close() throws IOException {
    bag.close();
    motion.close();
  }
}
