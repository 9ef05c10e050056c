package org.cartostream.run.metrics;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.CovarianceFile;
import org.cartostream.slam.trajectory.JumpDetector;
import org.cartostream.slam.trajectory.StampedPose;

/**
 * The path as a robot knew it while it drove: the pose that was sent with the outcome of each
 * processed reading, in the order of the readings. Later loop closures do not change these poses.
 *
 * <p>Owns the poses, and the readings that have no outcome yet. Not thread-safe.
 */
public final class LivePath {

  private record Sent(long stampNanos, Pose odometry, RobotPose pose) {}

  /**
   * Jumps of the pose during the run.
   *
   * @param largestJumpMetres largest motion of the pose beyond odometry's, without a correction and
   *     not where odometry itself jumped, metres; see {@link JumpDetector}
   * @param jumps number of jumps by more than {@link JumpDetector#ANNOUNCED_METRES}
   * @param corrections number of times that closed loops corrected the pose
   * @param largestCorrectionMetres largest announced displacement of the pose by a correction,
   *     metres
   */
  public record Moves(
      double largestJumpMetres, int jumps, int corrections, double largestCorrectionMetres) {}

  private final Map<Reading, Integer> unanswered = new IdentityHashMap<>();

  /**
   * Poses by the reading's place in the log. They are sorted because after an outage answers may
   * come out of order.
   */
  private final SortedMap<Integer, Sent> poses = new TreeMap<>();

  /**
   * Places in the log after which odometry does not tell the robot's motion: readings that were
   * refused because odometry had jumped, and the last readings before the robot was carried.
   */
  private final TreeSet<Integer> odometryJumps = new TreeSet<>();

  private int read;

  /** Notes that the robot was carried between the last reading and the next one. */
  void carried() {
    odometryJumps.add(read - 1);
  }

  void read(Reading reading) {
    unanswered.put(reading, read++);
  }

  /**
   * Takes a reading's outcome; returns the reading's place in the log, from 1, or 0 if it was never
   * read.
   */
  long answered(Reading reading, Outcome outcome) {
    Integer place = unanswered.remove(reading);
    if (place == null) {
      return 0;
    }
    if (outcome instanceof Outcome.Processed processed) {
      poses.put(place, new Sent(reading.stampNanos(), reading.odometry(), processed.pose()));
    }
    if (outcome instanceof Outcome.Refused refused
        && refused.refusal().equals(ReadingRefusal.ODOMETRY_JUMP.name())) {
      odometryJumps.add(place);
    }
    return place + 1L;
  }

  /** Returns the poses, each with the stamp of its reading. */
  public List<StampedPose> poses() {
    return poses.values().stream()
        .map(each -> new StampedPose(each.stampNanos, each.pose.inMap()))
        .toList();
  }

  /**
   * Returns the lines of {@link CovarianceFile} without its header, for all poses whose covariance
   * is known.
   */
  public List<String> covariances() {
    return poses.values().stream()
        .filter(each -> each.pose.hasCovariance())
        .map(each -> CovarianceFile.line(each.stampNanos, each.pose.covariance()))
        .toList();
  }

  /** Returns the jumps and corrections of the pose during the run. */
  public Moves moves() {
    JumpDetector detector = new JumpDetector();
    double[] jumps = new double[poses.size()];
    int jump = 0;
    int before = 0;
    for (Map.Entry<Integer, Sent> each : poses.entrySet()) {
      if (!odometryJumps.subSet(before, each.getKey()).isEmpty()) {
        detector.reset();
      }
      before = each.getKey();
      Sent sent = each.getValue();
      jumps[jump++] =
          detector.next(sent.pose.inMap(), sent.odometry, sent.pose.correction().number());
    }
    List<Correction> corrections =
        poses.values().stream().map(each -> each.pose.correction()).toList();
    return new Moves(
        Arrays.stream(jumps).max().orElse(0),
        (int) Arrays.stream(jumps).filter(each -> each > JumpDetector.ANNOUNCED_METRES).count(),
        corrections.stream().mapToInt(Correction::number).max().orElse(0),
        corrections.stream().mapToDouble(Correction::movedMetres).max().orElse(0));
  }
}
