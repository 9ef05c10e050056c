package org.cartostream.slam.mapping;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.Match;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleRandom;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.ProposalSettings;

/**
 * Draws a particle's next pose from odometry and scan together (the improved proposal of Grisetti,
 * Stachniss, Burgard 2007, section III-A):
 *
 * <ol>
 *   <li>predict the pose by odometry, with a Gaussian error ({@link MotionModel});
 *   <li>climb from there to where the scan fits the particle's map best; or from the step's second
 *       start ({@link Step#start}), if scan and odometry together are more likely there;
 *   <li>take the scan's likelihood for a Gaussian around that pose, from its measured curvature
 *       (the paper samples it; nineteen evaluations suffice for the curvature);
 *   <li>multiply both Gaussians, and draw the pose from the product, or from near odometry's pose
 *       if the scan does not bound it;
 *   <li>weigh the particle by the scan's likelihood at the drawn pose.
 * </ol>
 *
 * <p>Borrows its partition's matcher: one per thread.
 */
final class Proposal {

  /**
   * Factor on the deviations of the draw if the scan meets nothing of the particle's map, as after
   * a way on which nothing was seen: weights then cannot tell a good draw from a bad one. The
   * motion model's deviations are limits of odometry's error, ten times its usual size.
   */
  private static final double UNSEEN_SIGMA_SHARE = 0.1;

  private final ProposalSettings settings;
  private final ScanMatcher matcher;

  Proposal(FilterSettings settings, ScanMatcher matcher) {
    this.settings = settings.proposal();
    this.matcher = matcher;
  }

  /** A drawn pose, the scan's log likelihood there, and the number of poses scored. */
  record Drawn(Pose pose, double logLikelihood, int evaluations) {}

  /**
   * @param from the particle's pose at the last key frame
   * @param step the step from that key frame to the present one
   * @param error odometry's error on the step's motion
   */
  Drawn draw(
      TiledMap map,
      Beams beams,
      Pose from,
      Step step,
      MotionModel error,
      ParticleRandom particleRandom) {
    Pose predicted = from.then(step.motion());
    SymmetricMatrix3 byOdometry = error.information(from.theta());
    Prior prior = new Prior(predicted, byOdometry);
    Match match =
        step.start().equals(step.motion())
            ? matcher.match(map, beams, prior)
            : matcher.matchFromEither(map, beams, prior, from.then(step.start()));
    SymmetricMatrix3 posterior = match.curvature().plus(byOdometry);
    SymmetricMatrix3.Cholesky root = posterior.cholesky();

    Pose matched = match.pose();
    double[] pull =
        byOdometry.times(
            predicted.x() - matched.x(),
            predicted.y() - matched.y(),
            Pose.wrap(predicted.theta() - matched.theta()));
    double[] mean = root.solve(pull[0], pull[1], pull[2]);
    double[] deviation =
        root.solveTransposed(
            particleRandom.gaussian(), particleRandom.gaussian(), particleRandom.gaussian());
    boolean tellsNothing =
        match.curvature().xx() == 0 && match.curvature().yy() == 0 && match.curvature().tt() == 0;
    double share = settings.sigmaShare() * (tellsNothing ? UNSEEN_SIGMA_SHARE : 1);
    Pose drawn =
        new Pose(
            matched.x() + mean[0] + share * deviation[0],
            matched.y() + mean[1] + share * deviation[1],
            Pose.wrap(matched.theta() + mean[2] + share * deviation[2]));
    return new Drawn(drawn, matcher.logLikelihood(map, beams, drawn), match.evaluations() + 1);
  }
}
