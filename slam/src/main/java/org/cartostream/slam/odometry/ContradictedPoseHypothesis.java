package org.cartostream.slam.odometry;

import java.util.List;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;

/**
 * Hypothesis that odometry is wrong because the scan contradicts the match near odometry's pose or,
 * for some readings after a doubt, recognises nothing there. The search looks around odometry's
 * pose, around standing still, and around the pose by the robot's last velocity: in a corridor,
 * odometry that freezes may not be doubted before the robot is several steps away. The pose found
 * must pass the acceptance test ({@link PoseAcceptance}).
 */
record ContradictedPoseHypothesis(
    CandidateSearch search,
    PoseAcceptance acceptance,
    MotionPlausibility plausibility,
    DelayedOdometry delayed)
    implements OdometryHypothesis {

  @Override
  public boolean applies(Evidence at) {
    return isLost(at) || acceptance.isDoubtful(at.trusted());
  }

  private boolean isLost(Evidence at) {
    return delayed.mayComeRight() && acceptance.isLost(at.trusted());
  }

  @Override
  public Optional<Explanation> explain(Evidence at) {
    Pose continued = plausibility.continued();
    PoseCandidate found =
        search.best(at.here(), List.of(Pose.ORIGIN, at.motion(), continued), at.here());
    boolean stands =
        isLost(at)
            ? acceptance.isFoundAgain(found, at.trusted(), search.beams())
            : acceptance.isProved(found, at.trusted(), at.here().then(continued), search.beams());
    return stands ? Optional.of(new Explanation(found, false, false)) : Optional.empty();
  }
}
