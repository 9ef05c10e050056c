package org.cartostream.slam.odometry;

import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.odometry.MotionPlausibility.Plausibility;
import org.cartostream.slam.sensor.Reading;

/**
 * A hypothesis of one way in which odometry may be wrong, and of the robot's pose in that case. A
 * hypothesis changes nothing: {@link OdometryCheck} tries them in its order and takes the first
 * explanation.
 */
interface OdometryHypothesis {

  /**
   * Evidence of a reading before any hypothesis is tried.
   *
   * @param here the robot's pose at the last key frame
   * @param odometryHere odometry's pose at the last key frame
   * @param motion motion since the last key frame by odometry, corrected by the laser's mount
   * @param trusted the scan's match near the end of {@code motion}
   */
  record Evidence(
      Reading reading,
      Pose here,
      Pose odometryHere,
      Pose motion,
      PoseCandidate trusted,
      Plausibility plausibility) {}

  /**
   * Pose of the robot by a hypothesis, in place of odometry's.
   *
   * @param mayHaveSlipped true if the scan hardly shows this pose, so that the ground counts as
   *     slippery
   * @param odometryIsRight true if odometry is right from now on, and not doubted any longer
   */
  record Explanation(PoseCandidate pose, boolean mayHaveSlipped, boolean odometryIsRight) {}

  /** True if the hypothesis is to be tried for the reading. */
  boolean applies(Evidence at);

  /** Returns false if trying this hypothesis does not count as a doubt of odometry. */
  default boolean isDoubt() {
    return true;
  }

  /** Returns the robot's pose by this hypothesis, if the scan confirms it. */
  Optional<Explanation> explain(Evidence at);
}
