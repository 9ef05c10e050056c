package org.cartostream.slam.match;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * Where a scan's hits end, seen from the robot's base, in fixed-point map units per metre.
 *
 * <p>Made once per step and shared by all particles of a partition.
 *
 * @param count number of hits
 * @param x per hit, map units (1/256 cell)
 * @param y per hit, map units
 */
public record Beams(int count, double[] x, double[] y) {

  /**
   * @param unitsPerMetre map units per metre
   */
  public static Beams of(Scan scan, double unitsPerMetre) {
    double[] x = new double[scan.beams()];
    double[] y = new double[scan.beams()];
    Pose mount = scan.mount();
    double cos = StrictMath.cos(mount.theta());
    double sin = StrictMath.sin(mount.theta());
    int count = 0;
    for (int i = 0; i < scan.beams(); i++) {
      if (scan.isHit(i)) {
        double angle = scan.startAngle() + i * scan.angleStep();
        double ahead = scan.ranges()[i] * StrictMath.cos(angle);
        double left = scan.ranges()[i] * StrictMath.sin(angle);
        x[count] = unitsPerMetre * (mount.x() + cos * ahead - sin * left);
        y[count] = unitsPerMetre * (mount.y() + sin * ahead + cos * left);
        count++;
      }
    }
    return new Beams(count, x, y);
  }
}
