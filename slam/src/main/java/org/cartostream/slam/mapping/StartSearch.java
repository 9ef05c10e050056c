package org.cartostream.slam.mapping;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.Symmetric3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.CorrelativeScanMatcher;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.settings.FilterSettings;

/**
 * Finds where in a map a robot's first scan was taken, near where it is said to be: somebody has
 * pointed there with a mouse, which is decimetres and degrees off. A grid of poses is searched, and
 * the scan matcher climbs from the best ones.
 */
final class StartSearch {

  /** Twice the standard deviations that ROS gives a pose which is pointed at: 0.5 m, 15 degrees. */
  private static final double METRES = 1;

  private static final double RADIANS = StrictMath.toRadians(30);

  /** By these deviations: of two places that look alike the nearer one is taken. */
  private static final Symmetric3 SAID =
      new Symmetric3(4, 0, 0, 4, 0, 1 / (StrictMath.toRadians(15) * StrictMath.toRadians(15)));

  private final ScanMatcher matcher;
  private final CorrelativeScanMatcher wide;

  StartSearch(FilterSettings settings) {
    matcher = new ScanMatcher(settings.matcher(), settings.cellMetres());
    wide = new CorrelativeScanMatcher(METRES, RADIANS, settings.cellMetres());
  }

  /** Where the scan fits the map best around the pose that is said. */
  Pose around(TiledMap map, Beams beams, Pose said) {
    Prior prior = new Prior(said, SAID);
    Pose best = matcher.match(map, beams, prior).pose();
    double most = likelihood(map, beams, prior, best);
    for (Pose candidate : wide.candidatesAround(map, beams, said)) {
      Pose climbed = matcher.match(map, beams, prior, candidate).pose();
      double its = likelihood(map, beams, prior, climbed);
      if (its > most) {
        most = its;
        best = climbed;
      }
    }
    return best;
  }

  private double likelihood(TiledMap map, Beams beams, Prior prior, Pose pose) {
    return matcher.logLikelihood(map, beams, pose) + prior.log(pose);
  }
}
