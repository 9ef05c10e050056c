package org.cartostream.slam.odometry;

import java.util.Arrays;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * Detector of frozen odometry: the robot moves while odometry reports that it stands. The ranges of
 * a robot that really stands do not change from scan to scan. Along a corridor's parallel walls
 * scans match anywhere, so that no match contradicts encoders that froze there; but most ranges
 * change.
 *
 * <p>Owns the reading with which the next is compared: the first of the readings with the present
 * odometry, or the last key frame among them; and the number of these readings.
 */
final class FrozenOdometryDetector {

  /** Greatest difference of odometry that counts as no change, metres. */
  private static final double SAME_METRES = 0.001;

  private static final double SAME_RADIANS = 0.001;

  /** Greatest change of a range where nothing moves: metres, and a share of the range. */
  private static final double MIN_METRES = 0.06;

  private static final double SHARE_OF_RANGE = 0.01;

  /**
   * Greatest change of a range where nothing moves, in standard deviations of the laser's noise:
   * two of those of a difference.
   */
  private static final double DEVIATIONS = 2.8;

  /** Median of the absolute value of a Gaussian, in standard deviations. */
  private static final double MEDIAN = 0.6745;

  /**
   * Standard deviation of the second difference of three independent ranges, in those of one range.
   */
  private static final double SECOND_DIFFERENCE = Math.sqrt(6);

  /**
   * Least share of the beams that change if the robot moves. Between key frames 0.4 m apart 0.8 to
   * 0.99 of them change (medians of aces and intel with four simulated lasers); less than 0.2
   * hardly ever, but for 1 of 24 pairs in aces with a laser of 4 m. If a robot stands, 0.01 of the
   * beams change (median of 15 logs), and at most 0.15 when somebody walks by.
   */
  private static final double MOVED = 0.2;

  /**
   * Least time for which odometry must be the same to count as frozen: odometry that is slower than
   * the scans repeats itself.
   */
  private static final long MIN_NANOS = 500_000_000;

  /**
   * Readings with the same odometry after which it no longer counts as frozen: people who walk past
   * a standing robot change its scans too, and a robot does not keep its earlier motion for ever.
   */
  private static final int MAX_READINGS = 10;

  private Reading since;

  /** Readings since odometry last changed. */
  private int readings;

  /** Takes in the next reading. */
  void read(Reading reading) {
    if (isSame(since.odometry(), reading.odometry())) {
      readings++;
    } else {
      since = reading;
      readings = 0;
    }
  }

  /**
   * Returns true if odometry has been the same for some readings up to this one, but the scan has
   * changed.
   */
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
   * Returns the share of changed ranges among the beams that are hits in both scans. A beam that is
   * a hit in one scan only proves nothing: this happens to standing robots, too.
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

  /** Returns true if two scans are of one laser with one mount and setting. */
  private static boolean areOfOneSetting(Scan then, Scan now) {
    return then.beams() == now.beams()
        && then.mount().equals(now.mount())
        && then.startAngle() == now.startAngle()
        && then.angleStep() == now.angleStep();
  }

  /**
   * Estimates the standard deviation of a range, metres, from the second differences of
   * neighbouring beams.
   */
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

  /** Begins anew at the first reading or at a key frame. */
  void begin(Reading reading) {
    since = reading;
  }
}
