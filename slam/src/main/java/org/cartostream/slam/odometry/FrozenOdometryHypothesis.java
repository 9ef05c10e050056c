package org.cartostream.slam.odometry;

import java.util.List;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.odometry.MotionPlausibility.Plausibility;

/**
 * Encoders froze between walls that go alongside, where nothing contradicts them: odometry has a
 * robot stand that drove just now, and the scan is another ({@link FrozenOdometryDetector}). The
 * robot went on as it came, or straight on, or wherever a search finds it more likely by more than
 * the way there costs; unless more speaks for standing ({@link
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
