package org.cartostream.slam.log.carmen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.cartostream.slam.file.FieldReader;
import org.cartostream.slam.file.UnusableLineException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.trajectory.StampedPose;

/**
 * Interpolator of the robot's odometry at any time of a CARMEN log, from its lines
 *
 * <pre>
 * ODOM x y theta tv rv accel timestamp hostname logger_timestamp
 * </pre>
 *
 * <p>Owns the poses of all lines, some 70 bytes each, for the next pose after a scan may be
 * anywhere in the log.
 */
final class OdometryInterpolator {

  static final String KEYWORD = "ODOM";

  /** Longest gap between two lines that is interpolated, if the robot moved in it. */
  private static final long MAX_GAP_NANOS = 1_000_000_000;

  /** Longest gap between two lines that is interpolated if the robot hardly moved in it. */
  private static final long MAX_STILL_GAP_NANOS = 5_000_000_000L;

  private static final double HARDLY_MOVED_METRES = 0.5;
  private static final double HARDLY_MOVED_RADIANS = 0.3;

  /** Greatest speed of a robot, metres per second; odometry that moves faster was started anew. */
  private static final double FASTEST = 5;

  /** Slack on the fastest motion, metres, as stamps are not exact. */
  private static final double FASTEST_SLACK = 0.5;

  private static final int FIELDS_AFTER_POSE = 6;
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<StampedPose> poses = new ArrayList<>();
  private int unreadable;
  private String firstUnreadable = "";

  /** Takes a line that begins with {@link #KEYWORD}. */
  void take(int number, String line) {
    try {
      poses.add(parse(new FieldReader(line)));
    } catch (UnusableLineException e) {
      firstUnreadable = unreadable == 0 ? "line " + number + ": " + e.why() : firstUnreadable;
      unreadable++;
    }
  }

  private static StampedPose parse(FieldReader fieldReader) throws UnusableLineException {
    fieldReader.word("keyword");
    Pose pose = FieldReader.finite("pose", fieldReader.pose("pose"));
    int left = fieldReader.remaining();
    if (left != FIELDS_AFTER_POSE) {
      ReadingRefusal why =
          left < FIELDS_AFTER_POSE
              ? ReadingRefusal.TOO_FEW_NUMBERS
              : ReadingRefusal.TOO_MANY_NUMBERS;
      throw new UnusableLineException(
          why.because(left + " fields follow the pose; " + FIELDS_AFTER_POSE + " are needed"));
    }
    for (String unused : new String[] {"tv", "rv", "accel"}) {
      fieldReader.word(unused);
    }
    return new StampedPose(fieldReader.nanos("timestamp"), pose);
  }

  /** Ends the input: all lines have been taken. */
  void end() {
    poses.sort(Comparator.comparingLong(StampedPose::stampNanos));
  }

  /** Returns true if no line could be read. */
  boolean isEmpty() {
    return poses.isEmpty();
  }

  /**
   * Returns the pose at a time, interpolated between two lines: straight, with an even turn. If the
   * two are farther apart than a robot drives, it is the nearer line's: a pose halfway would make
   * two leaps of one.
   *
   * @throws UnusableLineException if there is no line before or after that time, or the gap between
   *     the two is too long
   */
  Pose at(long stampNanos) throws UnusableLineException {
    int above = StampedPose.firstFrom(stampNanos, poses);
    if (above == poses.size()) {
      long last = poses.get(above - 1).stampNanos();
      throw none(stampNanos, seconds(stampNanos - last) + " after the last ODOM line's");
    }
    StampedPose after = poses.get(above);
    if (after.stampNanos() == stampNanos) {
      return after.pose();
    }
    if (above == 0) {
      long ahead = after.stampNanos() - stampNanos;
      throw none(stampNanos, seconds(ahead) + " before the first ODOM line's");
    }
    StampedPose before = poses.get(above - 1);
    long gap = after.stampNanos() - before.stampNanos();
    double metres = before.pose().distance(after.pose());
    double radians = StrictMath.abs(Pose.wrap(after.pose().theta() - before.pose().theta()));
    boolean hardlyMoved = metres <= HARDLY_MOVED_METRES && radians <= HARDLY_MOVED_RADIANS;
    if (gap > (hardlyMoved ? MAX_STILL_GAP_NANOS : MAX_GAP_NANOS)) {
      throw none(stampNanos, "in a gap of " + seconds(gap) + between(metres, radians));
    }
    if (metres > FASTEST_SLACK + FASTEST * gap / NANOS_PER_SECOND) {
      return (stampNanos - before.stampNanos() > gap / 2 ? after : before).pose();
    }
    return before.at(stampNanos, after);
  }

  private static String between(double metres, double radians) {
    return String.format(
        Locale.ROOT, " between ODOM lines, %.2f m and %.2f rad apart", metres, radians);
  }

  private static UnusableLineException none(long stampNanos, String where) {
    return new UnusableLineException(
        ReadingRefusal.NO_ODOMETRY.because(
            "its stamp, " + seconds(stampNanos) + ", lies " + where));
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.2f s", nanos / NANOS_PER_SECOND);
  }

  /** Returns a sentence for people about the parts that could not be read. */
  List<String> notices() {
    return unreadable == 0
        ? List.of()
        : List.of(
            unreadable
                + " of "
                + (poses.size() + unreadable)
                + " ODOM lines cannot be read, the first is "
                + firstUnreadable);
  }
}
