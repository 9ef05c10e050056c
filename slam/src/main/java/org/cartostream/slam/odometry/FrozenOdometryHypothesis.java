package org.cartostream.slam.odometry;

import java.util.List;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.odometry.MotionPlausibility.Plausibility;

/**
 * Hypothesis that the wheel encoders froze while the robot drove: odometry reports that it stands
 * still, but the scan has changed ({@link FrozenOdometryDetector}). In a corridor, whose parallel
 * walls look alike everywhere along it, scan matching alone would not find this out.
 *
 * <p>Explains the reading by a robot that kept its last velocity, that drove on straight, or that
 * is at a pose found by a search, if the gain in likelihood outweighs the cost of its distance.
 * Gives no explanation if a standing robot is likelier ({@link
 * PoseAcceptance#isLikelierThanStanding}).
 */
record FrozenOdometryHypothesis(
    CandidateSearch search,
    PoseAcceptance acceptance,
    MotionPlausibility plausibility,
    FrozenOdometryDetector detector)
    implements OdometryHypothesis {

  @Override
  public boolean applies(Evidence at) {
    return at.plausibility() == Plausibility.USUAL
        && plausibility.mayStillMove()
        && detector.isDisproved(at.reading());
  }

  @Override
  public Optional<Explanation> explain(Evidence at) {
    Pose continued = plausibility.continued();
    Pose straightOn = plausibility.continuedStraight();
    PoseCandidate turning = search.near(at.here().then(continued));
    PoseCandidate straight = search.near(at.here().then(straightOn));
    PoseCandidate expected = CandidateSearch.better(turning, straight, turning.pose());
    PoseCandidate found =
        search.best(at.here(), List.of(Pose.ORIGIN, continued, straightOn), expected.pose());
    PoseCandidate went = acceptance.outweighsDistance(found, expected) ? found : expected;
    return acceptance.isLikelierThanStanding(went, at.trusted(), search.beams())
        ? Optional.of(new Explanation(went, !acceptance.isClear(went), false))
        : Optional.empty();
  }
}
