package org.cartostream.web.state;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/** Points of a scan, as a page draws them. */
public final class ScanPoints {

  private ScanPoints() {}

  /** Returns the points where beams hit something: x and y in the robot's frame, centimetres. */
  public static List<Long> centimetres(Scan scan) {
    List<Long> hits = new ArrayList<>();
    for (int i = 0; i < scan.beams(); i++) {
      if (scan.isHit(i)) {
        double angle = scan.startAngle() + i * scan.angleStep();
        double range = scan.ranges()[i];
        Pose hit = scan.mount().then(new Pose(range * Math.cos(angle), range * Math.sin(angle), 0));
        hits.add(Math.round(100 * hit.x()));
        hits.add(Math.round(100 * hit.y()));
      }
    }
    return hits;
  }
}
