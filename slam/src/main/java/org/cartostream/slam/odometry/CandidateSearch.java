package org.cartostream.slam.odometry;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.AlongTrackSearch;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.CorrelativeScanMatcher;
import org.cartostream.slam.match.LocalMap;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.OdometrySettings;

/**
 * Search for poses at which the present scan fits the robot's latest scans: near a guess by a hill
 * climb, along the track, or around several guesses by a {@link CorrelativeScanMatcher}.
 *
 * <p>Owns the local map, and the scan at hand: {@link #look} first, then any search, then {@link
 * #add} if the reading is a key frame.
 */
final class CandidateSearch {

  /**
   * Log likelihood per beam that a searched pose loses with each metre, or radian, from where it is
   * expected.
   */
  private static final double WAY_COST = 0.02;

  /** Prior of the search's candidates, weak enough to climb freely: 0.2 m, 0.1 rad. */
  private static final SymmetricMatrix3 LOOSE = new SymmetricMatrix3(25, 0, 0, 25, 0, 100);

  private final OdometrySettings settings;
  private final double independentRadians;
  private final double unitsPerMetre;
  private final LocalMap localMap;
  private final ScanMatcher matcher;
  private final AlongTrackSearch line;
  private final CorrelativeScanMatcher wide;

  /** The reading's, thinned to {@code slam.odometry.maxBeams}. */
  private Scan scan;

  private Beams beams;

  CandidateSearch(FilterSettings all) {
    settings = all.odometry();
    independentRadians = all.independentRadians();
    double cell = all.cellMetres();
    unitsPerMetre = TiledMap.UNITS / cell;
    localMap = new LocalMap(settings.keyFrames(), all.matcher(), cell);
    matcher = new ScanMatcher(all.matcher(), cell);
    line = new AlongTrackSearch(matcher, all.matcher().kernelMetres());
    wide = new CorrelativeScanMatcher(settings.searchMetres(), settings.searchRadians(), cell);
  }

  /** The next reading is at hand. */
  void look(Scan next) {
    scan = next.atMost(settings.maxBeams());
    beams = Beams.of(scan, unitsPerMetre, independentRadians);
  }

  /** Returns the beams of the reading at hand. */
  Beams beams() {
    return beams;
  }

  /** True if what is seen shows how far a motion has led. */
  boolean constrainsTravel(Pose motion) {
    return beams.constrainTravel(motion, unitsPerMetre);
  }

  /** Takes in the reading at hand as a key frame. */
  void add(Pose here) {
    localMap.add(here, scan, beams);
  }

  /**
   * The best of what is found around each motion that is likely, unless another's search sees it.
   *
   * @param from where the motions start
   * @param expected of two poses that agree alike the one that is nearer to this is taken
   */
  PoseCandidate best(Pose from, List<Pose> motions, Pose expected) {
    List<Pose> guesses = new ArrayList<>();
    for (Pose likely : motions) {
      if (guesses.stream().noneMatch(other -> isInReach(other, likely))) {
        guesses.add(likely);
      }
    }
    return guesses.stream()
        .map(guess -> around(from.then(guess), expected))
        .reduce((one, other) -> better(one, other, expected))
        .orElseThrow();
  }

  private boolean isInReach(Pose guess, Pose other) {
    return guess.distance(other) <= settings.searchMetres() / 2
        && PoseCandidate.headingDifference(guess, other) <= settings.searchRadians() / 2;
  }

  /** The best of what a search far around a guess finds. */
  PoseCandidate around(Pose guess, Pose expected) {
    return wide.candidatesAround(localMap.map(), beams, guess).stream()
        .map(this::near)
        .reduce((one, other) -> better(one, other, expected))
        .orElseThrow();
  }

  /** The one that agrees better; of two that agree alike, as along a wall, the one less far. */
  static PoseCandidate better(PoseCandidate one, PoseCandidate other, Pose expected) {
    return worth(other, expected) > worth(one, expected) ? other : one;
  }

  private static double worth(PoseCandidate candidate, Pose expected) {
    double way =
        expected.distance(candidate.pose())
            + PoseCandidate.headingDifference(expected, candidate.pose());
    return candidate.consistency().logLikelihood() - WAY_COST * way;
  }

  /** Returns the pose to which a hill climb from a guess leads, with a wide prior. */
  PoseCandidate near(Pose guess) {
    return climb(new Prior(guess, LOOSE), guess);
  }

  PoseCandidate climb(Prior prior, Pose start) {
    Pose pose = matcher.match(localMap.map(), beams, prior, start).pose();
    return new PoseCandidate(pose, localMap.consistency(pose, scan, beams), false);
  }

  /** Returns where along a line another climb may start, see {@link AlongTrackSearch#peak}. */
  Optional<Pose> alongTrack(Prior prior, Pose climbed, double direction, double reach) {
    return line.peak(localMap.map(), beams, prior, climbed, direction, reach);
  }

  /** The pose's log likelihood by scan and odometry together, up to a constant. */
  double posterior(Pose pose, Prior prior) {
    return matcher.logLikelihood(localMap.map(), beams, pose) + prior.log(pose);
  }
}
