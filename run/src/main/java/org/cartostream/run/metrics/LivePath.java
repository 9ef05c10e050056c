package org.cartostream.run.metrics;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.JumpDetector;
import org.cartostream.slam.trajectory.StampedPose;

/**
 * The poses by which a robot steers: that of each processed reading as it left with the outcome, in
 * the order in which the readings were taken. What is found out later does not change them.
 *
 * <p>Owns the poses, and the readings that have no outcome yet. Not thread-safe.
 */
public final class LivePath {

  private record Sent(long stampNanos, Pose odometry, Pose pose, Correction correction) {}

  private final Map<Reading, Integer> unanswered = new IdentityHashMap<>();

  /** By the reading's place in the log: after an outage an answer may come behind a later one. */
  private final SortedMap<Integer, Sent> poses = new TreeMap<>();

  private int read;

  void read(Reading reading) {
    unanswered.put(reading, read++);
  }

  /** Returns the reading's number among those that were read, from 1; 0 if it is none of them. */
  long answered(Reading reading, Outcome outcome) {
    Integer place = unanswered.remove(reading);
    if (outcome instanceof Outcome.Processed processed) {
      poses.put(
          place,
          new Sent(
              reading.stampNanos(), reading.odometry(), processed.pose(), processed.correction()));
    }
    return place == null ? 0 : place + 1L;
  }

  /** The poses with their readings' stamps. */
  public List<StampedPose> poses() {
    return poses.values().stream()
        .map(each -> new StampedPose(each.stampNanos, each.pose))
        .toList();
  }

  /**
   * How far the pose has moved at once, beyond what odometry said and without a correction, where
   * it did most, see {@link JumpDetector}.
   */
  public double largestJumpMetres() {
    return jumps().max().orElse(0);
  }

  /** How many jumps are announced to a robot, see {@link JumpDetector#ANNOUNCED_METRES}. */
  public int announcedJumps() {
    return (int) jumps().filter(metres -> metres > JumpDetector.ANNOUNCED_METRES).count();
  }

  private DoubleStream jumps() {
    JumpDetector detector = new JumpDetector();
    return poses.values().stream()
        .mapToDouble(each -> detector.next(each.pose, each.odometry, each.correction.number()));
  }

  /** How often closed loops have corrected the pose. */
  public int corrections() {
    return poses.values().stream().mapToInt(each -> each.correction.number()).max().orElse(0);
  }

  /** How far the correction that moved the pose furthest did, as it was announced. */
  public double largestCorrectionMetres() {
    return poses.values().stream()
        .mapToDouble(each -> each.correction.movedMetres())
        .max()
        .orElse(0);
  }
}
