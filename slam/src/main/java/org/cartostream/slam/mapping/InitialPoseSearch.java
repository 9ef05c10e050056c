package org.cartostream.slam.mapping;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.CorrelativeScanMatcher;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.settings.FilterSettings;

/**
 * Search for the pose of a robot's scan in a map near a stated pose. A pose pointed at with a mouse
 * is off by decimetres and degrees, so a grid of poses is searched, and the scan matcher climbs
 * from the best of them.
 */
final class InitialPoseSearch {

  /**
   * Radius of the search: twice the standard deviations that RViz gives a stated pose, 0.5 m and 15
   * degrees.
   */
  private static final double METRES = 1;

  private static final double RADIANS = StrictMath.toRadians(30);

  /**
   * Information of the stated pose: deviations of 0.5 m and 15 degrees. Of two places that look
   * alike, the nearer one is taken.
   */
  private static final SymmetricMatrix3 STATED_POSE =
      new SymmetricMatrix3(
          4, 0, 0, 4, 0, 1 / (StrictMath.toRadians(15) * StrictMath.toRadians(15)));

  /**
   * Pose at which a scan was taken.
   *
   * @param logLikelihood the scan's log likelihood at the pose
   */
  record Found(Pose pose, double logLikelihood) {}

  private final ScanMatcher matcher;
  private final CorrelativeScanMatcher wide;

  InitialPoseSearch(FilterSettings settings) {
    matcher = new ScanMatcher(settings.matcher(), settings.cellMetres());
    wide = new CorrelativeScanMatcher(METRES, RADIANS, settings.cellMetres());
  }

  /** Returns the pose near the stated one at which the scan fits the map best. */
  Found around(TiledMap map, Beams beams, Pose said) {
    Prior prior = new Prior(said, STATED_POSE);
    Pose best = matcher.match(map, beams, prior).pose();
    double max = posterior(map, beams, prior, best);
    for (Pose candidate : wide.candidatesAround(map, beams, said)) {
      Pose climbed = matcher.match(map, beams, prior, candidate).pose();
      double its = posterior(map, beams, prior, climbed);
      if (its > max) {
        max = its;
        best = climbed;
      }
    }
    return new Found(best, matcher.logLikelihood(map, beams, best));
  }

  private double posterior(TiledMap map, Beams beams, Prior prior, Pose pose) {
    return matcher.logLikelihood(map, beams, pose) + prior.log(pose);
  }
}
