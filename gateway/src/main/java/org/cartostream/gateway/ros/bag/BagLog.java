package org.cartostream.gateway.ros.bag;

import static org.cartostream.gateway.ros.scan.RosRefusal.CLOCK_SKEW;
import static org.cartostream.gateway.ros.scan.RosRefusal.NOT_IN_ORDER;
import static org.cartostream.gateway.ros.scan.RosRefusal.NO_ODOMETRY;
import static org.cartostream.gateway.ros.scan.RosRefusal.NO_TRANSFORM;
import static org.cartostream.gateway.ros.scan.RosRefusal.STAMP_TOO_OLD;
import static org.cartostream.gateway.ros.scan.RosRefusal.TOO_MANY_WAITING;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.ros.scan.OdometrySource;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.gateway.ros.scan.ScanOdometrySync;
import org.cartostream.gateway.ros.tf.TransformBuffer;
import org.cartostream.ros.RosException;
import org.cartostream.ros.bag.BagFormatException;
import org.cartostream.ros.bag.MessageFile;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Odometry;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.settings.Settings;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/**
 * A ROS bag as a log, of ROS 1 or (MCAP) of ROS 2: its scans get their odometry as those of a live
 * robot do, by {@link ScanOdometrySync}, with the recorder's clock in place of this computer's;
 * only, a scan waits longer for its odometry. {@link BagContents} chooses the topics.
 *
 * <p>Every scan is one entry; entries are numbered in the order in which they are decided. No scan
 * is left out for lack of movement: the filter decides about that.
 *
 * <p>Owns the open bag and the entries that are decided and not taken yet.
 */
public final class BagLog implements LaserLog {

  /** What scans are refused for where those that belong together lie far from each other. */
  private static final Set<Refusal> OF_DISORDER =
      Set.of(NO_ODOMETRY, STAMP_TOO_OLD, CLOCK_SKEW, NO_TRANSFORM, TOO_MANY_WAITING);

  /** Waiting costs nothing in a file, and transforms may have been recorded late. */
  private static final int PATIENCE_MILLIS = 5000;

  /** As many as 40 scans a second leave waiting in that time, and more. */
  private static final int WAITING_SCANS = 1000;

  private final Path file;
  private final MessageFile bag;
  private final String scanTopic;
  private final int scanCount;
  private final OdometrySource.Topics odometry;
  private final BagTransforms transforms;
  private final List<String> notices;
  private final String disorder;
  private final ScanOdometrySync scanSync;
  private final Deque<LogEntry> decided = new ArrayDeque<>();
  private final long patienceNanos;
  private int entries;
  private long latestNanos;
  private boolean ended;

  private BagLog(Path file, BagContents contents, RosSettings settings) throws IOException {
    this.file = file;
    this.scanTopic = contents.scanTopic();
    this.scanCount = contents.scanCount();
    this.odometry = contents.odometry();
    this.transforms = contents.transforms();
    this.notices = contents.notices();
    this.disorder = contents.disorder();
    this.bag = openMessages(file);
    RosSettings ofFile = everyScan(settings);
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(ofFile.odometryWaitMillis());
    this.scanSync = new ScanOdometrySync(ofFile, odometry, this::take, this::refuse);
  }

  /** True if a file begins as a bag of format 2.0 or an MCAP file does. */
  public static boolean isBag(Path file) throws IOException {
    return MessageFile.isMessageFile(file);
  }

  /**
   * Opens a bag; it is read once now, see {@link BagContents}.
   *
   * @param settings names the frames, and topics if they must be
   * @throws FileFormatException if it is no bag, has no scans, nothing on a topic that is named,
   *     the scans of several lasers without one on {@code /scan}, several odometries and none of
   *     them on {@code /tf} or {@code /odom}, or several topics of transforms with odometry and
   *     none of them {@code /tf}
   * @throws IOException if it cannot be read
   */
  public static BagLog open(Path file, RosSettings settings) throws IOException {
    return new BagLog(file, BagContents.of(file, settings), settings);
  }

  private static RosSettings everyScan(RosSettings settings) {
    int patienceMillis = Math.max(PATIENCE_MILLIS, settings.odometryWaitMillis());
    return Settings.with(
        settings,
        Map.of(
            "linearUpdateMetres", "0",
            "angularUpdateRadians", "0",
            "throttleScans", "1",
            "odometryWaitMillis", Integer.toString(patienceMillis),
            "waitingScans", Integer.toString(WAITING_SCANS)));
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
    MessageFile.RecordedMessage recordedMessage = nextMessage();
    if (recordedMessage == null) {
      ended = true;
      // Nothing more comes: whoever waits has waited enough, and odometry is silent.
      scanSync.processWaiting(latestNanos + patienceNanos + TransformBuffer.LONGEST_GAP_NANOS);
      return;
    }
    try {
      receive(recordedMessage);
    } catch (RosException e) {
      throw new FileFormatException(file + " is damaged: " + e.getMessage(), e);
    }
  }

  private static MessageFile openMessages(Path file) throws IOException {
    try {
      return MessageFile.open(file);
    } catch (BagFormatException e) {
      throw new FileFormatException(e.getMessage(), e);
    }
  }

  private MessageFile.RecordedMessage nextMessage() throws IOException {
    try {
      return bag.next();
    } catch (BagFormatException e) {
      throw new FileFormatException(e.getMessage(), e);
    }
  }

  private void receive(MessageFile.RecordedMessage recordedMessage) {
    // Time goes on in a file that is not in its order, too, or a scan would wait for ever.
    latestNanos = Math.max(latestNanos, recordedMessage.atNanos());
    long at = latestNanos;
    String topic = recordedMessage.topic();
    if (recordedMessage.is(LaserScan.TYPE) && topic.equals(scanTopic)) {
      scanSync.receive(recordedMessage.as(LaserScan.TYPE), at);
    } else if (recordedMessage.is(TfMessage.TYPE)) {
      TfMessage taken = transforms.filter(topic, recordedMessage.as(TfMessage.TYPE));
      scanSync.receive(taken, BagTransforms.isFixed(topic), at);
    } else if (recordedMessage.is(Odometry.TYPE) && topic.equals(odometry.messages())) {
      scanSync.receive(recordedMessage.as(Odometry.TYPE), at);
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
  }
}
