package org.cartostream.slam.odometry;

import java.util.Optional;
import org.cartostream.slam.geometry.Pose;

/**
 * Hypothesis that odometry which was doubted has become right all at once ({@link
 * DelayedOdometry}), often at a place beyond all that was seen lately: the robot's pose is then the
 * one at which odometry would be without the delay.
 */
record CaughtUpHypothesis(
    CandidateSearch search,
    PoseAcceptance acceptance,
    MotionPlausibility plausibility,
    DelayedOdometry delayed)
    implements OdometryHypothesis {

  @Override
  public boolean applies(Evidence at) {
    return delayed.mayComeRight()
        && delayed.mayCatchUp(plausibility.deviation(at.motion()), owedMetres(at));
  }

  @Override
  public boolean isDoubt() {
    return false;
  }

  @Override
  public Optional<Explanation> explain(Evidence at) {
    Pose odometry = at.reading().odometry();
    Pose guess = delayed.poseByOdometry(odometry);
    // Over a long way odometry has drifted, too.
    PoseCandidate right =
        delayed.lagsFarBehind(owedMetres(at))
            ? search.around(guess, at.here())
            : search.near(guess);
    boolean isInStep =
        delayed.fitsMotionBetter(
            plausibility.deviation(at.here().to(right.pose())),
            plausibility.deviation(at.motion()));
    boolean fits = acceptance.isClear(right) || (isInStep && acceptance.isFair(right));
    return fits && acceptance.gainsEnough(right, at.trusted(), search.beams())
        ? Optional.of(new Explanation(right, false, delayed.hasComeRight(right.pose(), odometry)))
        : Optional.empty();
  }

  /** Returns how far odometry was behind the robot at the last key frame, metres. */
  private double owedMetres(Evidence at) {
    return delayed.poseByOdometry(at.odometryHere()).distance(at.here());
  }
}
