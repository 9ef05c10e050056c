package org.cartostream.gateway.ros.scan;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntFunction;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * A scan whose beams were measured one after another while the robot drove. Undistorted, each end
 * point is seen from where the laser was at the scan's stamp.
 *
 * <p>A scan has its beams at even angles, so an end point goes to the beam nearest to its new
 * direction. So an end point moves sideways by at most half a step; of two for one beam only the
 * nearer in direction stays; and a beam without an end point is unknown. A robot that turns with
 * its laser sees some directions twice, so its scan gets more beams.
 */
final class SweptScan {

  /** Motion during a scan that is ignored, metres: ranges are no more exact. */
  private static final double STANDING_METRES = 0.01;

  private final Scan scan;

  /** Direction of each beam's end point, in angle steps from the first beam; NaN if unknown. */
  private final double[] places;

  private final float[] ranges;

  private SweptScan(Scan scan) {
    this.scan = scan;
    this.places = new double[scan.beams()];
    this.ranges = new float[scan.beams()];
  }

  /**
   * Returns the scan as if all its beams had been measured at its stamp; the unchanged scan if the
   * robot hardly moved; empty if its motion is unknown.
   *
   * @param motion motion of the base since the scan's stamp, by beam; null if unknown
   */
  static Optional<Scan> undistorted(Scan scan, IntFunction<Pose> motion) {
    SweptScan swept = new SweptScan(scan);
    double way = 0;
    double turn = 0;
    for (int i = 0; i < scan.beams(); i++) {
      Pose moved = motion.apply(i);
      if (moved == null) {
        return Optional.empty();
      }
      way = Math.max(way, moved.distance(Pose.ORIGIN));
      turn = Math.max(turn, Math.abs(moved.theta()));
      swept.see(i, moved);
    }
    boolean stood = way < STANDING_METRES && turn < Math.abs(scan.angleStep()) / 2;
    return Optional.of(stood ? scan : swept.resampled());
  }

  private void see(int beam, Pose moved) {
    places[beam] = Double.NaN;
    if (!scan.isHit(beam) && !scan.isMiss(beam)) {
      return;
    }
    double angle = scan.startAngle() + beam * scan.angleStep();
    double turned = moved.theta();
    ranges[beam] = scan.ranges()[beam];
    if (scan.isHit(beam)) {
      Pose laser = scan.mount().inverse().then(moved).then(scan.mount());
      double range = scan.ranges()[beam];
      Pose end =
          laser.then(new Pose(range * StrictMath.cos(angle), range * StrictMath.sin(angle), 0));
      ranges[beam] = (float) StrictMath.hypot(end.x(), end.y());
      turned = Pose.wrap(StrictMath.atan2(end.y(), end.x()) - angle);
    }
    places[beam] = beam + turned / scan.angleStep();
  }

  private Scan resampled() {
    long first = Math.round(Arrays.stream(places).filter(Double::isFinite).min().orElse(0));
    long last = Math.round(Arrays.stream(places).filter(Double::isFinite).max().orElse(0));
    float[] even = new float[(int) (last - first + 1)];
    double[] aside = new double[even.length];
    Arrays.fill(even, Float.NaN);
    Arrays.fill(aside, Double.POSITIVE_INFINITY);
    for (int i = 0; i < places.length; i++) {
      long nearest = Math.round(places[i]);
      double off = Math.abs(places[i] - nearest);
      int at = (int) (nearest - first);
      if (off < (Double.isNaN(off) ? 0 : aside[at])) {
        even[at] = ranges[i];
        aside[at] = off;
      }
    }
    return new Scan(
        scan.mount(),
        scan.startAngle() + first * scan.angleStep(),
        scan.angleStep(),
        scan.minRange(),
        scan.maxRange(),
        even);
  }
}
