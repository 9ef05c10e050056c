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
   * @param index number of the first message after the set-back, from 1
   * @param byNanos stamp before minus stamp after, nanoseconds
   * @param metres distance from the pose before to the pose after, metres; 0 without poses
   * @param radians difference of the two headings, not negative; 0 without poses
   */
  record SetBack(long index, long byNanos, double metres, double radians) {}

  private final Set<Long> stamps = new HashSet<>();
  private final List<SetBack> setBacks = new ArrayList<>();
  private long count;
  private long repeats;
  private long earliest = Long.MAX_VALUE;
  private long latest = Long.MIN_VALUE;

  /** Newest stamp since time was last set back, nanoseconds. */
  private long newest = Long.MIN_VALUE;

  private Pose lastPose;

  /** True if a stamp is so far before the newest that the clock must have been set back. */
  static boolean isSetBack(long stampNanos, long newestNanos) {
    return newestNanos != Long.MIN_VALUE && stampNanos < newestNanos - TransformBuffer.KEPT_NANOS;
  }

  /**
   * Takes the next stamp.
   *
   * @param pose pose of the robot at the stamp; null if the topic has no poses
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

  /** Counts a message that cannot be decoded. */
  void addUndecodable() {
    count++;
  }

  /** Returns the number of messages of the topic. */
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

  /**
   * Returns how many stamps since the last set-back had come before it, as when a drive is played
   * twice.
   */
  long repeats() {
    return repeats;
  }
}
