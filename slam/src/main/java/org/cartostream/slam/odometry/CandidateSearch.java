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
 * <p>Owns the local map, and the present reading's scan. Call {@link #look} first, then any search,
 * then {@link #add} if the reading is a key frame.
 */
final class CandidateSearch {

  /**
   * Cost of a found pose's distance from the expected one: log likelihood per beam and per metre,
   * or radian.
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

  /** The present reading's scan, thinned to {@code slam.odometry.maxBeams}. */
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

  /** Sets the scan that is searched for. */
  void look(Scan next) {
    scan = next.atMost(settings.maxBeams());
    beams = Beams.of(scan, unitsPerMetre, independentRadians);
  }

  /** Returns the beams of the present reading. */
  Beams beams() {
    return beams;
  }

  /** Returns true if the present scan constrains how far a motion has led. */
  boolean constrainsTravel(Pose motion) {
    return beams.constrainTravel(motion, unitsPerMetre);
  }

  /** Enters the present reading into the local map, as a key frame. */
  void add(Pose here) {
    localMap.add(here, scan, beams);
  }

  /**
   * Returns the best pose found by searches around the ends of likely motions. A motion that ends
   * within another's search is left out.
   *
   * @param from pose at which the motions start
   * @param expected expected pose: of two poses that agree equally, the one nearer to it is taken
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

  /** Returns the best pose that a wide search around a guess finds. */
  PoseCandidate around(Pose guess, Pose expected) {
    return wide.candidatesAround(localMap.map(), beams, guess).stream()
        .map(this::near)
        .reduce((one, other) -> better(one, other, expected))
        .orElseThrow();
  }

  /**
   * Returns the candidate that agrees better with the local map; of two that agree equally, as
   * along a wall, the one nearer to {@code expected}.
   */
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

  /**
   * Returns the start of another climb, the best pose along a line; {@link AlongTrackSearch#peak}.
   */
  Optional<Pose> alongTrack(Prior prior, Pose climbed, double direction, double reach) {
    return line.peak(localMap.map(), beams, prior, climbed, direction, reach);
  }

  /** Returns the pose's log likelihood by scan and odometry together, up to a constant. */
  double posterior(Pose pose, Prior prior) {
    return matcher.logLikelihood(localMap.map(), beams, pose) + prior.log(pose);
  }
}
