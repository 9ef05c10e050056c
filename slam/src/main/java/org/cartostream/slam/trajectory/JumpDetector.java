package org.cartostream.slam.trajectory;

import java.util.Locale;
import org.cartostream.slam.geometry.Pose;

/**
 * Detector of jumps of a robot's pose beyond odometry's motion, without those of a {@link
 * Correction}: steps of the transform from {@code map} to {@code odom}, which include odometry's
 * own error. Owns the previous pose. Not thread-safe.
 */
public final class JumpDetector {

  /** Length of a jump beyond which it is announced like a correction. */
  public static final double ANNOUNCED_METRES = 0.1;

  private Pose pose;
  private Pose odometry;
  private int correction;

  /**
   * Takes in the robot's next pose; returns the length of its jump.
   *
   * @param now in the {@code map} frame
   * @param odometryNow in the {@code odom} frame
   * @param correctionNow number of the newest correction in the pose
   * @return metres; 0 for the first pose, and for one that a correction has moved
   */
  public double next(Pose now, Pose odometryNow, int correctionNow) {
    boolean comparable = pose != null && correction == correctionNow;
    double jump = comparable ? pose.then(odometry.to(odometryNow)).distance(now) : 0;
    pose = now;
    odometry = odometryNow;
    correction = correctionNow;
    return jump;
  }

  /** Begins anew: the next pose counts as the first. */
  public void reset() {
    pose = null;
  }

  /** A jump in words. */
  public static String sentence(double metres) {
    return String.format(
        Locale.ROOT,
        "the robot's pose moves by %.2f m beyond odometry; no loop was closed",
        metres);
  }
}
