package org.cartostream.slam.trajectory;

import java.util.Locale;
import org.cartostream.slam.geometry.Pose;

/**
 * The rigid motion by which closed loops have moved a robot's map: it carries poses of the filter,
 * which goes on as if no loop had been closed, to the {@code map} frame. The frame of the filter's
 * own poses is called local, as in Hess et al., Real-time loop closure in 2D LIDAR SLAM, ICRA 2016.
 *
 * @param number of corrections of the run so far; 0 for none
 * @param transform pose of the local frame's origin in the {@code map} frame
 * @param movedMetres by how far the newest correction moved the robot's pose when it was applied
 */
public record Correction(int number, Pose transform, double movedMetres) {

  /** The identity, while no loop was closed. */
  public static final Correction NONE = new Correction(0, Pose.ORIGIN, 0);

  public Correction {
    if (number < 0
        || !transform.isFinite()
        || !(movedMetres >= 0 && movedMetres < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "correction %d by %s, which moved the pose by %s m; the first is 1, and both are finite"
              .formatted(number, transform, movedMetres));
    }
    if (number == 0 && !(transform.equals(Pose.ORIGIN) && movedMetres == 0)) {
      throw new IllegalArgumentException(
          "correction 0 by %s, which moved the pose by %s m; 0 is none, and moves nothing"
              .formatted(transform, movedMetres));
    }
  }

  /** Returns a sentence for people about the newest correction. */
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "map corrected (%d): loops move the robot's pose by %.2f m",
        number,
        movedMetres);
  }

  /**
   * Carries a local pose to the {@code map} frame; returns the same object if there was no
   * correction.
   */
  public Pose apply(Pose local) {
    return number == 0 ? local : transform.then(local);
  }
}
