package org.cartostream.gateway.ros.scan;

import java.util.Arrays;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * Evidence whether a laser measures its beams one after another: counts whether scans fit the
 * previous one better, by odometry, as they are or undistorted. The two forms differ only while a
 * robot begins or ceases to turn; other pairs do not vote.
 *
 * <p>Owns the last reading in both forms, and the votes of the pairs.
 */
final class SweepEvidence {

  /** Ratio of the two median errors below which a pair votes for the form with the smaller one. */
  private static final double DECISIVE = 0.5;

  /**
   * Majority of votes that decides. Single pairs may vote wrongly, when a door opens or a wheel
   * slips.
   */
  private static final int MAJORITY = 3;

  private Reading lastAsIs;
  private Reading lastUndistorted;
  private int votes;

  /** True if the votes have decided that beams are measured one after another. */
  boolean isFor() {
    return votes >= MAJORITY;
  }

  /** True if the votes have decided that all beams of a scan are measured at once. */
  boolean isAgainst() {
    return votes <= -MAJORITY;
  }

  /** Takes the next reading in both forms; ignored once the votes have decided. */
  void add(Reading asIs, Reading undistorted) {
    if (isFor() || isAgainst()) {
      return;
    }
    if (lastAsIs != null) {
      double off = medianOff(lastAsIs, asIs);
      double offUndistorted = medianOff(lastUndistorted, undistorted);
      votes += offUndistorted < DECISIVE * off ? 1 : off < DECISIVE * offUndistorted ? -1 : 0;
    }
    lastAsIs = asIs;
    lastUndistorted = undistorted;
  }

  /**
   * Returns the median error of ranges, metres, against those predicted by the previous reading.
   */
  private static double medianOff(Reading before, Reading after) {
    Pose laser = after.odometry().then(after.scan().mount());
    Pose from = laser.to(before.odometry().then(before.scan().mount()));
    Scan seen = before.scan();
    Scan scan = after.scan();
    double middle = scan.startAngle() + scan.angleStep() * (scan.beams() - 1) / 2;
    double[] off = new double[seen.beams()];
    int count = 0;
    for (int i = 0; i < seen.beams(); i++) {
      if (seen.isHit(i)) {
        double angle = seen.startAngle() + i * seen.angleStep();
        double range = seen.ranges()[i];
        Pose end =
            from.then(new Pose(range * StrictMath.cos(angle), range * StrictMath.sin(angle), 0));
        double bearing = middle + Pose.wrap(StrictMath.atan2(end.y(), end.x()) - middle);
        int beam = (int) Math.round((bearing - scan.startAngle()) / scan.angleStep());
        if (beam >= 0 && beam < scan.beams() && scan.isHit(beam)) {
          off[count++] = Math.abs(end.distance(Pose.ORIGIN) - scan.ranges()[beam]);
        }
      }
    }
    Arrays.sort(off, 0, count);
    return off[count / 2];
  }
}
