package org.cartostream.slam.localisation;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.localisation.LikelihoodField.ScanEnds;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.Match;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.particle.ParticleRandom;

/** Sampler of poses in a map's free space at which a scan fits. */
final class FreeSpaceSearch {

  /**
   * Number of uniform poses in free space of which one is taken, by the likelihood of a few beams.
   * A single uniform pose would hardly ever fit, and its particle would die at once.
   */
  private static final int CANDIDATES = 20;

  /** Number of beams that tell a pose in free space from most others. */
  private static final int CANDIDATE_BEAMS = 30;

  /** Information of a candidate's pose, by the distance between candidates: 0.5 m, 0.25 rad. */
  private static final SymmetricMatrix3 CANDIDATE_INFORMATION =
      new SymmetricMatrix3(4, 0, 0, 4, 0, 16);

  private final KnownMap map;
  private final ScanMatcher matcher;

  FreeSpaceSearch(KnownMap map, ScanMatcher matcher) {
    this.map = map;
    this.matcher = matcher;
  }

  /**
   * Draws one of {@link #CANDIDATES} uniform poses in free space, with probability by the scan's
   * likelihood there, and climbs from it to where the scan fits best. Without the climb, of two
   * places that look alike that one would win to which a particle happens to be drawn closer.
   */
  Match draw(ParticleRandom random, LocalisationModel.SeenStep seen) {
    Beams few = seen.beams().atMost(CANDIDATE_BEAMS);
    ScanEnds theirEnds = seen.ends().atMost(CANDIDATE_BEAMS);
    Pose chosen = null;
    double total = 0;
    for (int i = 0; i < CANDIDATES; i++) {
      Pose pose = map.freePose(random.uniform(), random.uniform(), random.uniform());
      double evidence = theirEnds.evidence() * theirEnds.x().length;
      double weight = StrictMath.exp(evidence * map.field().meanLog(theirEnds, pose));
      total += weight;
      if (chosen == null || random.uniform() * total < weight) {
        chosen = pose;
      }
    }
    return matcher.match(map.walls(), few, new Prior(chosen, CANDIDATE_INFORMATION));
  }
}
