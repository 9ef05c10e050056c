package org.cartostream.slam.odometry;

import java.util.List;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.odometry.MotionPlausibility.Plausibility;

/**
 * Hypothesis that odometry is wrong because it reports a step that the robot can hardly have made
 * ({@link MotionPlausibility}), as after a restart of odometry. The scan need not contradict such a
 * step, for nothing contradicts a place that was never seen, so the search leaves odometry's pose
 * out. If the search finds nothing better than the robot's usual motion, as where one door looks
 * like the next, that motion is taken. Odometry is believed all the same if the laser proves it; if
 * the step is only unlikely, unless the laser disproves it.
 */
record ImplausibleStepHypothesis(
    CandidateSearch search, PoseAcceptance acceptance, MotionPlausibility plausibility)
    implements OdometryHypothesis {

  @Override
  public boolean applies(Evidence at) {
    return at.plausibility() != Plausibility.USUAL;
  }

  @Override
  public Optional<Explanation> explain(Evidence at) {
    Pose likely =
        at.plausibility() == Plausibility.GUESSED ? at.motion() : plausibility.continued();
    PoseCandidate expected = search.near(at.here().then(likely));
    PoseCandidate found =
        search.best(at.here(), List.of(Pose.ORIGIN, likely), at.here().then(likely));
    PoseCandidate went = acceptance.isBetter(found, expected, search.beams()) ? found : expected;
    return acceptance.isOutweighed(at.trusted(), at.plausibility(), went, search.beams())
        ? Optional.of(new Explanation(went, !acceptance.isClear(went), false))
        : Optional.empty();
  }
}
