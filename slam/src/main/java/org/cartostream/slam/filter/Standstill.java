package org.cartostream.slam.filter;

import java.util.Arrays;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * Whether a robot that stands still by odometry does so: then every beam measures what it measured
 * before. Walls that go alongside look alike from further on, so that no match contradicts encoders
 * that froze in a corridor; but few of its beams stay as long as they were.
 *
 * <p>Owns the reading since which odometry has not changed.
 */
final class Standstill {

  /** Odometry that changes by less has not changed. */
  private static final double SAME_METRES = 0.001;

  private static final double SAME_RADIANS = 0.001;

  /** By so much a range changes at most where nothing moves: metres, and a part of it. */
  private static final double LEAST_METRES = 0.06;

  private static final double SHARE_OF_RANGE = 0.01;

  /** If the laser is noisy, by so many standard deviations of its noise: two of a difference. */
  private static final double DEVIATIONS = 2.8;

  /** The median of what differs by chance, in standard deviations. */
  private static final double MEDIAN = 0.6745;

  /** The standard deviation of a second difference, in those of what it is made of. */
  private static final double SECOND_DIFFERENCE = Math.sqrt(6);

  /**
   * Where the robot moves, more of the beams change. On recorded logs 0.01 of them do where robots
   * stand (median of 15; at most 0.15, when somebody walks by), and 0.44 to 0.95 from one key frame
   * to the next that is 0.4 m away or more (medians of six; less than 0.2 in one of fifty at most).
   */
  private static final double MOVED = 0.2;

  /** Odometry that comes at a slower pace than scans repeats itself; it is not frozen for that. */
  private static final long LEAST_NANOS = 500_000_000;

  /** Null before the first. */
  private Reading since;

  /** True if odometry has not changed since an earlier reading, and the scan has. */
  boolean isDisproved(Reading reading) {
    if (since == null || !isSame(since.odometry(), reading.odometry())) {
      since = reading;
      return false;
    }
    boolean isLong = reading.stampNanos() - since.stampNanos() >= LEAST_NANOS;
    return isLong && changed(since.scan(), reading.scan()) > MOVED;
  }

  private static boolean isSame(Pose odometry, Pose other) {
    return odometry.distance(other) < SAME_METRES && Tried.turn(odometry, other) < SAME_RADIANS;
  }

  /** Which share of the beams that met something, then or now, has changed. */
  private static double changed(Scan then, Scan now) {
    if (then.beams() != now.beams()) {
      return 0; // Another laser, or another setting of it: nothing can be compared.
    }
    double chance = Math.max(LEAST_METRES, DEVIATIONS * Math.min(noise(then), noise(now)));
    int met = 0;
    int changed = 0;
    for (int i = 0; i < now.beams(); i++) {
      if (then.isHit(i) || now.isHit(i)) {
        met++;
        changed += hasChanged(then, now, i, chance) ? 1 : 0;
      }
    }
    return met == 0 ? 0 : (double) changed / met;
  }

  private static boolean hasChanged(Scan then, Scan now, int i, double chance) {
    double before = then.ranges()[i];
    double after = now.ranges()[i];
    if (then.isHit(i) && now.isHit(i)) {
      return Math.abs(after - before) > chance + SHARE_OF_RANGE * Math.min(before, after);
    }
    return then.isMiss(i) || now.isMiss(i); // Else one of them says nothing.
  }

  /** The standard deviation of a range, metres, by how far beams lie off their neighbours' line. */
  private static double noise(Scan scan) {
    float[] ranges = scan.ranges();
    double[] off = new double[ranges.length];
    int count = 0;
    for (int i = 1; i + 1 < ranges.length; i++) {
      if (scan.isHit(i - 1) && scan.isHit(i) && scan.isHit(i + 1)) {
        off[count++] = Math.abs(ranges[i - 1] - 2 * ranges[i] + ranges[i + 1]);
      }
    }
    Arrays.sort(off, 0, count);
    return count == 0 ? 0 : off[count / 2] / MEDIAN / SECOND_DIFFERENCE;
  }

  /** From this reading on the robot's place is known anew. */
  void begin(Reading reading) {
    since = reading;
  }
}
