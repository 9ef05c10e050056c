package org.cartostream.slam.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.CorrelativeScanMatcher;
import org.cartostream.slam.match.Match;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.settings.LoopSettings;
import org.cartostream.slam.settings.MatcherSettings;

/**
 * Search for places to which a robot came back.
 *
 * <ol>
 *   <li>From place to place along the path, earlier visits nearby are looked up, and of each visit
 *       the nearest node. The less certain the motion between place and visit is ({@link
 *       PathDeviations}), the larger is the radius of the search.
 *   <li>What was seen from the place is matched to the map around that node, from wherever a {@link
 *       CorrelativeScanMatcher} finds it likely (Olson, Real-time correlative scan matching, 2009;
 *       Hess et al., Cartographer, 2016, section V, do both with submaps, too).
 *   <li>The match is accepted if the scans fit there about as well as they fit the scans taken just
 *       before and after, so that no limit depends on the laser; and if they fit nowhere else
 *       nearly as well, for one door of a corridor looks like the next.
 * </ol>
 *
 * <p>Owns the comparisons made so far: a pair of nodes is not compared again while their relative
 * pose is about the same. An object serves one path, whose nodes may move from search to search.
 */
final class LoopSearch {

  /** Metres along the path between places, or more if there would be too many. */
  private static final double APART = 1;

  private static final int MAX_PLACES = 2000;

  /** Maximum number of earlier visits that are tried from each place, the nearest first. */
  private static final int MAX_VISITS = 4;

  /** Least distance along the path between a place and an earlier visit, metres. */
  private static final double MIN_LOOP_METRES = 12;

  /** Metres along the path below which two places belong to one visit. */
  private static final double SAME_VISIT = 4;

  /** Standard deviations by which an earlier visit may lie elsewhere: 95 of 100 lie nearer. */
  private static final double DEVIATIONS = 2;

  /**
   * Least search radius while the path grows, metres: the chain's uncertainty does not include
   * slips of the filter.
   */
  static final double SLIP_METRES = 3;

  /** Least search radius at the path's end, metres: slips were looked for on the way. */
  static final double SEARCHED_METRES = 1;

  /** Distance between two nodes, metres, from which much of the same is seen. */
  private static final double OVERLAP_METRES = 3;

  /** Bound on the difference of headings between map and path: 15 degrees. */
  private static final double MAX_RADIANS = 0.26;

  /** Prior of the search's candidates, weak enough to climb freely: 0.3 m, 0.1 rad. */
  private static final SymmetricMatrix3 LOOSE = new SymmetricMatrix3(11, 0, 0, 11, 0, 100);

  // A fit is measured by a loss: the share of the beams that would have to meet nothing, all others
  // fitting perfectly, for the scan to have its log likelihood.

  /** Greatest excess of the loss at the earlier visit over the loss beside the place. */
  private static final double WORSE_THAN_BESIDE = 0.16;

  /** Loss of a place beside which nothing was seen: so little that no visit is accepted. */
  private static final double NEVER = -1;

  /** Greatest loss that is accepted, however great the loss beside the place is. */
  private static final double WORST = 0.63;

  /**
   * Difference in loss below which two poses fit equally well; if they are apart, the place is
   * ambiguous.
   */
  private static final double AMBIGUOUS = 0.08;

  private static final double ELSEWHERE_METRES = 0.4;

  /** Information of the submaps' own errors: 0.05 m, 0.01 rad. */
  private static final SymmetricMatrix3 MAPS = new SymmetricMatrix3(400, 0, 0, 400, 0, 10_000);

  private record Pair(int from, int to) {}

  /**
   * A place and the nearest node of an earlier visit.
   *
   * @param metres search radius around the visit's pose by the path
   */
  private record Visit(Pair pair, double distance, double metres) {}

  private record Fit(Match match, double lost) {}

  /** Comparison of a place with an earlier visit: its initial guess, and the resulting edge. */
  private record Look(Pose guess, Optional<Edge> edge) {}

  private final double searchMetres;
  private final double minMetres;
  private final double cellMetres;
  private final double unitsPerMetre;

  /** Log likelihood that a beam which meets nothing loses. */
  private final double miss;

  private final ScanMatcher matcher;
  private final CorrelativeScanMatcher narrow;

  private final Map<Pair, Look> looks = new HashMap<>();

  /**
   * @param minMetres {@link #SLIP_METRES} or {@link #SEARCHED_METRES}
   */
  LoopSearch(LoopSettings settings, MatcherSettings matcher, double cellMetres, double minMetres) {
    this.searchMetres = settings.searchMetres();
    this.minMetres = minMetres;
    this.unitsPerMetre = TiledMap.UNITS / cellMetres;
    this.miss = -StrictMath.log(matcher.zRand());
    this.matcher = new ScanMatcher(matcher, cellMetres);
    this.cellMetres = cellMetres;
    this.narrow = new CorrelativeScanMatcher(minMetres, MAX_RADIANS, cellMetres);
  }

  /**
   * Returns the known loop edges and those found, given the nodes' present poses.
   *
   * @param known loop edges that were found before and fit: they stay, and are not looked for again
   */
  List<Edge> edges(LocalSubmaps localSubmaps, List<Edge> known) {
    return edges(localSubmaps, known, places(localSubmaps));
  }

  /**
   * Searches edges for some places only.
   *
   * @param places nodes from which earlier visits are looked for
   */
  List<Edge> edges(LocalSubmaps localSubmaps, List<Edge> known, List<Integer> places) {
    PathDeviations deviations = new PathDeviations(localSubmaps.poses(), known);
    List<Visit> visits = new ArrayList<>();
    for (int place : places) {
      visits.addAll(visits(localSubmaps, place, deviations.seenFrom(place)));
    }
    visits.removeIf(visit -> known.stream().anyMatch(edge -> isAt(edge, visit.pair, localSubmaps)));
    visits.sort(
        Comparator.<Visit>comparingInt(visit -> visit.pair.from)
            .thenComparingInt(visit -> visit.pair.to));
    double[] beside = new double[localSubmaps.count()];
    Arrays.fill(beside, Double.NaN);
    List<Edge> edges = new ArrayList<>(known);
    TiledMap map = null;
    int around = -1;
    for (Visit visit : visits) {
      Pair pair = visit.pair;
      Pose guess = guess(pair, localSubmaps);
      Look before = looks.get(pair);
      if (before != null && narrow.isWithinStep(before.guess, guess)) {
        before.edge.ifPresent(edges::add);
        continue;
      }
      if (pair.from != around) {
        around = pair.from;
        map = localSubmaps.mapAround(around, matcher);
      }
      Beams panorama = localSubmaps.panorama(pair.to, unitsPerMetre);
      if (Double.isNaN(beside[pair.to])) {
        TiledMap there = localSubmaps.mapBeside(pair.to, matcher);
        boolean isUnseen = there.occupiedCells() == 0;
        beside[pair.to] = isUnseen ? NEVER : lost(there, panorama, Pose.ORIGIN);
      }
      Optional<Edge> edge = edge(visit, localSubmaps, map, panorama, beside[pair.to]);
      edge.ifPresent(edges::add);
      looks.put(pair, new Look(guess, edge));
    }
    return edges;
  }

  private static Pose guess(Pair pair, LocalSubmaps localSubmaps) {
    return localSubmaps.poses()[pair.from].to(localSubmaps.poses()[pair.to]);
  }

  /** Returns true if an edge joins the same visit and place as a pair. */
  private static boolean isAt(Edge edge, Pair pair, LocalSubmaps localSubmaps) {
    double apart = localSubmaps.way()[edge.from()] - localSubmaps.way()[pair.from];
    double again = localSubmaps.way()[edge.to()] - localSubmaps.way()[pair.to];
    return Math.abs(again) < APART && Math.abs(apart) < SAME_VISIT;
  }

  /** Returns the nodes of the whole path at which earlier visits are looked for. */
  private static List<Integer> places(LocalSubmaps localSubmaps) {
    double[] way = localSubmaps.way();
    double apart = Math.max(APART, way[way.length - 1] / MAX_PLACES);
    List<Integer> places = new ArrayList<>();
    double next = 0;
    for (int node = 0; node < way.length; node++) {
      if (way[node] >= next) {
        next = way[node] + apart;
        places.add(node);
      }
    }
    return places;
  }

  /** Returns a place's nearest earlier visits, each by its nearest node. */
  private List<Visit> visits(LocalSubmaps localSubmaps, int place, double[] deviations) {
    Pose[] poses = localSubmaps.poses();
    List<Visit> visits = new ArrayList<>();
    Visit nearest = null;
    for (int i = 0; localSubmaps.way()[place] - localSubmaps.way()[i] > MIN_LOOP_METRES; i++) {
      double distance = poses[i].distance(poses[place]);
      double metres = Math.max(minMetres, DEVIATIONS * deviations[i]);
      if (distance > Math.min(searchMetres, metres + OVERLAP_METRES)) {
        nearest = null;
      } else if (nearest == null || distance < nearest.distance) {
        visits.remove(nearest);
        double most = Math.max(minMetres, searchMetres - OVERLAP_METRES);
        nearest = new Visit(new Pair(i, place), distance, Math.min(metres, most));
        visits.add(nearest);
      }
    }
    visits.sort(Comparator.comparingDouble(Visit::distance));
    return visits.subList(0, Math.min(MAX_VISITS, visits.size()));
  }

  private Optional<Edge> edge(
      Visit visit, LocalSubmaps localSubmaps, TiledMap map, Beams panorama, double lostBeside) {
    Pair pair = visit.pair;
    CorrelativeScanMatcher wide = new CorrelativeScanMatcher(visit.metres, MAX_RADIANS, cellMetres);
    Pose guess = guess(pair, localSubmaps);
    List<Pose> starts = new ArrayList<>(wide.candidatesAround(map, panorama, guess));
    starts.add(guess);
    List<Fit> fits = new ArrayList<>();
    for (Pose start : starts) {
      // A climb that begins within a grid step of a pose already found would end there, too.
      if (fits.stream().noneMatch(fit -> wide.isWithinStep(start, fit.match.pose()))) {
        Match match = matcher.match(map, panorama, new Prior(start, LOOSE));
        fits.add(new Fit(match, lost(map, panorama, match.pose())));
      }
    }
    Fit best = fits.stream().min(Comparator.comparingDouble(Fit::lost)).orElseThrow();
    double max = Math.min(WORST, lostBeside + WORSE_THAN_BESIDE);
    boolean fitsWell = best.lost <= max;
    return fitsWell && !isAmbiguous(best, fits)
        ? Optional.of(
            new Edge(
                pair.from,
                pair.to,
                best.match.pose(),
                best.match.curvature().inSeriesWith(MAPS),
                true))
        : Optional.empty();
  }

  private static boolean isAmbiguous(Fit best, List<Fit> fits) {
    return fits.stream()
        .anyMatch(
            fit ->
                fit.lost < best.lost + AMBIGUOUS
                    && fit.match.pose().distance(best.match.pose()) > ELSEWHERE_METRES);
  }

  /**
   * Returns the loss of a panorama at a pose: its lost log likelihood as a share of the beams, as
   * if these met nothing and all others fitted.
   */
  private double lost(TiledMap map, Beams panorama, Pose pose) {
    double all = miss * panorama.evidence() * panorama.count();
    return -matcher.logLikelihood(map, panorama, pose) / all;
  }
}
