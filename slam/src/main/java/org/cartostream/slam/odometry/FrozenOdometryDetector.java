package org.cartostream.slam.odometry;

import java.util.Arrays;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * Detector of frozen odometry: the robot moves while odometry reports that it stands. The ranges of
 * a robot that really stands do not change from scan to scan. Walls that go alongside look alike
 * from further on, so that no match contradicts encoders that froze in a corridor; but few of its
 * beams stay as long as they were.
 *
 * <p>Owns the reading that the next is compared with: the first of those with the same odometry, or
 * the last key frame among them; and how long odometry has been the same.
 */
final class FrozenOdometryDetector {

  /** Odometry that changes by less has not changed. */
  private static final double SAME_METRES = 0.001;

  private static final double SAME_RADIANS = 0.001;

  /** Bound on the change of a range where nothing moves: metres, and a part of it. */
  private static final double MIN_METRES = 0.06;

  private static final double SHARE_OF_RANGE = 0.01;

  /**
   * Bound on that change of a noisy laser, in standard deviations of its noise: two of a
   * difference.
   */
  private static final double DEVIATIONS = 2.8;

  /** The median of what differs by chance, in standard deviations. */
  private static final double MEDIAN = 0.6745;

  /** The standard deviation of a second difference, in those of what it is made of. */
  private static final double SECOND_DIFFERENCE = Math.sqrt(6);

  /**
   * Least share of the beams that change where the robot moves: from one key frame to the next that
   * is 0.4 m away or more 0.8 to 0.99 of them (medians of aces and intel as four lasers see them;
   * less than 0.2 in one of 24 of aces seen up to 4 m, and seldom else). Where robots stand 0.01 of
   * them do (median of 15 logs; at most 0.15, when somebody walks by).
   */
  private static final double MOVED = 0.2;

  /** Odometry that comes at a slower pace than scans repeats itself; it is not frozen for that. */
  private static final long MIN_NANOS = 500_000_000;

  /**
   * Readings with the same odometry after which it no longer counts as frozen: people who walk past
   * a standing robot change its scans too, and a robot does not keep its earlier motion for ever.
   */
  private static final int MAX_READINGS = 10;

  private Reading since;

  /** Readings since odometry last changed. */
  private int readings;

  /** Takes in the next reading, which is judged now. */
  void read(Reading reading) {
    if (isSame(since.odometry(), reading.odometry())) {
      readings++;
    } else {
      since = reading;
      readings = 0;
    }
  }

  /** True if odometry has been the same for some readings up to this one, and the scan was not. */
  boolean isDisproved(Reading reading) {
    return readings <= MAX_READINGS
        && reading.stampNanos() - since.stampNanos() >= MIN_NANOS
        && changed(since.scan(), reading.scan()) > MOVED;
  }

  private static boolean isSame(Pose odometry, Pose other) {
    return odometry.distance(other) < SAME_METRES
        && PoseCandidate.headingDifference(odometry, other) < SAME_RADIANS;
  }

  /**
   * Returns which share of the beams that met something, then and now, has changed. A beam that
   * meets something now and then only does so for a robot that stands, too.
   */
  private static double changed(Scan then, Scan now) {
    if (!areOfOneSetting(then, now)) {
      return 0;
    }
    double chance = Math.max(MIN_METRES, DEVIATIONS * Math.min(noise(then), noise(now)));
    int met = 0;
    int changed = 0;
    for (int i = 0; i < now.beams(); i++) {
      if (then.isHit(i) && now.isHit(i)) {
        double before = then.ranges()[i];
        double after = now.ranges()[i];
        double max = chance + SHARE_OF_RANGE * Math.min(before, after);
        met++;
        changed += Math.abs(after - before) > max ? 1 : 0;
      }
    }
    return met == 0 ? 0 : (double) changed / met;
  }

  /** False if the beams are those of another laser, or of one that was turned or set otherwise. */
  private static boolean areOfOneSetting(Scan then, Scan now) {
    return then.beams() == now.beams()
        && then.mount().equals(now.mount())
        && then.startAngle() == now.startAngle()
        && then.angleStep() == now.angleStep();
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

  /** Begins anew at a reading, the first or a key frame, at which the robot's place is known. */
  void begin(Reading reading) {
    since = reading;
  }
}
