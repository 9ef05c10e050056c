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
 * however late a message was recorded, and static transforms are known from the beginning. Which
 * topics are heard, {@link BagContents} says.
 *
 * <p>Every scan is one entry; entries are numbered in the order in which they are decided. No scan
 * is left out for lack of movement: the filter decides about that. Where time was set back, and the
 * robot is elsewhere or the same drive comes again, the log ends: the rest is refused.
 *
 * <p>Owns the bag, opened twice, for scans and for motion, and the entries that are decided and not
 * taken yet.
 */
public final class BagLog implements LaserLog {

  /** Refusals of scans where those that belong together lie far from each other. */
  private static final Set<Refusal> OF_DISORDER =
      Set.of(NO_ODOMETRY, STAMP_TOO_OLD, CLOCK_SKEW, NO_TRANSFORM, TOO_MANY_WAITING);

  /**
   * Stands in place of the time: nothing else is heard while a scan is decided, so there is only an
   * end of waiting.
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
   * The format: whatever {@link MessageFile} opens. Several are merged as messages and not as
   * scans, so that what holds for all times in one holds for all.
   *
   * @param settings name the frames, and topics if they must be
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
   * Opens a bag, or several as one log, as those of a recording that was split. They are read once
   * now, see {@link BagContents}, and then as far as shows whether its scans are to be undistorted.
   *
   * @param settings names the frames, and topics if they must be
   * @throws FileFormatException if it is no bag, has no scans, nothing on a topic that is named, no
   *     scan of the frame that is named, clocks that never meet, files of two robots with the same
   *     frames, the scans of several lasers without one on {@code /scan}, several odometries and
   *     none of them on {@code /tf} or {@code /odom}, or several topics of transforms with odometry
   *     and none of them {@code /tf}
   * @throws IOException if it cannot be read
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

  /** Decides the next scan, or finds that there is none. */
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
    // Nothing more comes for it: it has waited enough.
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

  /** Of fixed transforms that contradict each other, the last recorded before a scan counts. */
  private void takeFixed(MessageFile.RecordedMessage message) {
    if (BagTransforms.isFixed(message.topic())) {
      try {
        TfMessage heard = transforms.filter(message.topic(), message.as(TfMessage.TYPE));
        scanSync.receive(heard, true, NO_TIME);
      } catch (RosException e) {
        // It was counted when the bag was read for the first time.
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
