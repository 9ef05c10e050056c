package org.cartostream.gateway.ros.bag;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.cartostream.gateway.ros.tf.TransformBuffer;
import org.cartostream.slam.geometry.Pose;

/**
 * Statistics of the header stamps of one topic in the order of the file: their range, and the
 * places where time was set back. Owns the stamps seen, 8 bytes and a hash entry each.
 */
final class StampTrack {

  /**
   * A place where time was set back.
   *
   * @param index of the first message after it, from 1
   * @param byNanos by how much
   * @param metres from the pose before it to the pose after it; 0 without poses
   * @param radians by which the robot's heading differs, not negative
   */
  record SetBack(long index, long byNanos, double metres, double radians) {}

  private final Set<Long> stamps = new HashSet<>();
  private final List<SetBack> setBacks = new ArrayList<>();
  private long count;
  private long repeats;
  private long earliest = Long.MAX_VALUE;
  private long latest = Long.MIN_VALUE;

  /** The latest since time was set back last. */
  private long newest = Long.MIN_VALUE;

  private Pose lastPose;

  /** A stamp that lies so far before another is of a clock that was set back. */
  static boolean isSetBack(long stampNanos, long newestNanos) {
    return newestNanos != Long.MIN_VALUE && stampNanos < newestNanos - TransformBuffer.KEPT_NANOS;
  }

  /**
   * Takes the next stamp.
   *
   * @param pose of the robot at that time; null if the topic tells none
   */
  void add(long stampNanos, Pose pose) {
    count++;
    if (isSetBack(stampNanos, newest)) {
      double metres = pose == null || lastPose == null ? 0 : lastPose.distance(pose);
      double radians = pose == null || lastPose == null ? 0 : Math.abs(lastPose.to(pose).theta());
      setBacks.add(new SetBack(count, newest - stampNanos, metres, radians));
      newest = stampNanos;
      repeats = 0;
    }
    newest = Math.max(newest, stampNanos);
    earliest = Math.min(earliest, stampNanos);
    latest = Math.max(latest, stampNanos);
    lastPose = pose;
    if (!stamps.add(stampNanos)) {
      repeats++;
    }
  }

  /** A message of the topic makes no sense. */
  void addUndecodable() {
    count++;
  }

  /** Messages of the topic. */
  long count() {
    return count;
  }

  long earliest() {
    return earliest;
  }

  long latest() {
    return latest;
  }

  List<SetBack> setBacks() {
    return setBacks;
  }

  /** Stamps since time was set back last that had come before: the same drive was played again. */
  long repeats() {
    return repeats;
  }
}
