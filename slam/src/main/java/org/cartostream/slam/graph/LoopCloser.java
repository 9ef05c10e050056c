package org.cartostream.slam.graph;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.LoopSettings;
import org.cartostream.slam.settings.MatcherSettings;

/**
 * Loop closure of a finished path. A filter that recognises an earlier place too late has drawn
 * walls twice, which it cannot undo; the path can be corrected afterwards by a pose graph.
 *
 * <ol>
 *   <li>Half a metre apart, or a third of a radian, viewpoints are nodes of a graph; from each to
 *       the next leads what the path says.
 *   <li>{@link LoopSearch} finds where the robot came back.
 *   <li>{@link PoseGraph} finds the poses that fit both best.
 *   <li>That is done again from there: where a loop was closed, more of it fits. Until nothing
 *       moves any more, or fifteen times.
 *   <li>All of it is done twice: once with what there is a {@link LoopConsensus} of, and once with
 *       all that is found, for a loop may be met at one place only. What more loops fit to in the
 *       end is taken; if neither, the former.
 *   <li>What lies between nodes goes with them.
 * </ol>
 *
 * <p>A pure function of viewpoints and settings, to the last bit. Not thread-safe.
 */
public final class LoopCloser {

  static final double NODE_METRES = 0.5;
  static final double NODE_RADIANS = 0.35;

  /** Nodes are further apart where there would be more. */
  static final int MAX_NODES = 20_000;

  /** Bound on the beams of one scan, for all nodes' are held at once: 128 MB at most. */
  static final int MAX_BEAMS = 400;

  /**
   * Side of the finest cell, metres: in cells of half this side a search takes four times as long.
   */
  static final double FINEST_CELL = 0.05;

  private static final int MAX_ROUNDS = 15;

  /** Movement of a node from one round to the next below which the search ends, metres. */
  private static final double AT_REST_METRES = 0.1;

  // How far a path may lead astray from one node to the next: at all, by the metre, by the radian.
  private static final double ASTRAY_METRES = 0.01;
  private static final double ASTRAY_METRES_A_METRE = 0.01;
  private static final double ASTRAY_RADIANS = 0.002;
  private static final double ASTRAY_RADIANS_A_METRE = 0.004;
  private static final double ASTRAY_RADIANS_A_RADIAN = 0.01;

  /**
   * A path whose loops are closed.
   *
   * @param poses one for each viewpoint
   * @param loops loop edges that they fit
   */
  public record Result(Pose[] poses, List<Loop> loops) {}

  /** A loop edge, by the indices of the two viewpoints that it joins. */
  public record Loop(int first, int again) {}

  /** Poses of the nodes after the fit, and the loop edges that agree with them. */
  private record FittedPath(LocalSubmaps nodes, List<Edge> loops) {}

  private final double unitsPerMetre;
  private final double independentRadians;
  private final boolean searches;
  private final Supplier<LoopSearch> search;

  /**
   * @param independentRadians angle between beams that err independently
   */
  public LoopCloser(
      LoopSettings settings,
      MatcherSettings matcher,
      double cellMetres,
      double independentRadians) {
    double cell = Math.max(FINEST_CELL, cellMetres);
    this.unitsPerMetre = TiledMap.UNITS / cell;
    this.independentRadians = independentRadians;
    this.searches = settings.searchMetres() > 0;
    this.search = () -> new LoopSearch(settings, matcher, cell);
  }

  /**
   * The path with all loops closed that can be; empty if none can.
   *
   * @param path viewpoints, in the order in which the robot came there
   * @param scans what was seen from each; read once
   */
  public Optional<Result> closeLoops(List<Pose> path, Stream<Scan> scans) {
    if (!searches || path.size() < 2) {
      return Optional.empty();
    }
    int[] places = places(path);
    LocalSubmaps start = nodes(path, scans.iterator(), places);
    FittedPath end = closeLoops(start);
    if (end.nodes == start) {
      return Optional.empty();
    }
    Pose[] poses = interpolate(path, places, end.nodes.poses()).toArray(Pose[]::new);
    List<Loop> loops =
        end.loops.stream().map(each -> new Loop(places[each.from()], places[each.to()])).toList();
    return Optional.of(new Result(poses, loops));
  }

  private FittedPath closeLoops(LocalSubmaps start) {
    List<Edge> chain = chain(start.poses());
    LoopSearch both = search.get();
    FittedPath sure = bent(start, both, chain, LoopConsensus::of);
    FittedPath bold = bent(start, both, chain, (loops, localSubmaps) -> loops);
    return bold.loops.size() > sure.loops.size() ? bold : sure;
  }

  /**
   * Closes loops until nothing moves any more.
   *
   * @param consensus which of the edges that were found are believed
   */
  private FittedPath bent(
      LocalSubmaps start,
      LoopSearch search,
      List<Edge> chain,
      BiFunction<List<Edge>, LocalSubmaps, List<Edge>> consensus) {
    FittedPath fittedPath = new FittedPath(start, List.of());
    List<Edge> loops = consensus.apply(search.edges(start, List.of()), start);
    for (int round = 1; !loops.isEmpty(); round++) {
      FittedPath next = fitted(fittedPath.nodes, loops, chain);
      double moved = furthest(fittedPath.nodes.poses(), next.nodes.poses());
      fittedPath = next;
      if (round == MAX_ROUNDS || moved < AT_REST_METRES) {
        return fittedPath;
      }
      loops = consensus.apply(search.edges(fittedPath.nodes, fittedPath.loops), fittedPath.nodes);
    }
    return fittedPath;
  }

  private static FittedPath fitted(LocalSubmaps localSubmaps, List<Edge> loops, List<Edge> chain) {
    List<Edge> edges = new ArrayList<>(loops);
    edges.addAll(chain);
    PoseGraph graph = new PoseGraph(edges, 1, Long.MAX_VALUE);
    Pose[] fitted = graph.fitted(localSubmaps.poses());
    return new FittedPath(localSubmaps.at(fitted), graph.fittingLoops(fitted));
  }

  private static double furthest(Pose[] from, Pose[] to) {
    double furthest = 0;
    for (int i = 0; i < from.length; i++) {
      furthest = Math.max(furthest, from[i].distance(to[i]));
    }
    return furthest;
  }

  /** Returns the indices of the poses of a path that become nodes. */
  static int[] places(List<Pose> path) {
    List<Integer> places = new ArrayList<>(List.of(0));
    Pose last = path.get(0);
    for (int i = 1; i < path.size(); i++) {
      Pose pose = path.get(i);
      if (last.distance(pose) >= NODE_METRES || turn(last, pose) >= NODE_RADIANS) {
        places.add(i);
        last = pose;
      }
    }
    int sparser = places.size() / (MAX_NODES + 1) + 1;
    return IntStream.range(0, places.size())
        .filter(i -> i % sparser == 0)
        .map(places::get)
        .toArray();
  }

  private LocalSubmaps nodes(List<Pose> path, Iterator<Scan> scans, int[] places) {
    Pose[] poses = new Pose[places.length];
    Beams[] beams = new Beams[places.length];
    double[] way = new double[places.length];
    int next = 0;
    for (int i = 0; i < places.length; i++) {
      poses[i] = path.get(places[i]);
      for (; next < places[i]; next++) {
        scans.next();
      }
      next++;
      Beams all = Beams.of(scans.next(), unitsPerMetre, independentRadians);
      beams[i] = all.atMost(MAX_BEAMS);
      way[i] = i == 0 ? 0 : way[i - 1] + way(poses[i - 1], poses[i]);
    }
    return new LocalSubmaps(poses, i -> beams[i], way);
  }

  /** Returns what a path says of its nodes: how each lies to the next. */
  static List<Edge> chain(Pose[] path) {
    List<Edge> chain = new ArrayList<>();
    for (int i = 0; i + 1 < path.length; i++) {
      Pose motion = path[i].to(path[i + 1]);
      double metres = Pose.ORIGIN.distance(motion);
      double astray = ASTRAY_METRES + ASTRAY_METRES_A_METRE * metres;
      double turned =
          ASTRAY_RADIANS
              + ASTRAY_RADIANS_A_METRE * metres
              + ASTRAY_RADIANS_A_RADIAN * Math.abs(motion.theta());
      double way = 1 / (astray * astray);
      SymmetricMatrix3 information = new SymmetricMatrix3(way, 0, 0, way, 0, 1 / (turned * turned));
      chain.add(new Edge(i, i + 1, motion, information, false));
    }
    return chain;
  }

  /**
   * All poses of a path, taken along by some of them, before them and behind them, the more the
   * nearer.
   *
   * @param places of those in the path, ascending; the first is 0
   * @param after where those are now
   */
  public static List<Pose> interpolate(List<Pose> path, int[] places, Pose[] after) {
    List<Pose> along = new ArrayList<>();
    for (int k = 0; k + 1 < places.length; k++) {
      Pose last = path.get(places[k]);
      Pose next = path.get(places[k + 1]);
      for (Pose pose : path.subList(places[k], places[k + 1])) {
        double since = way(last, pose);
        double all = since + way(pose, next);
        Pose byLast = after[k].then(last.to(pose));
        Pose byNext = after[k + 1].then(next.to(pose));
        along.add(byLast.towards(byNext, all == 0 ? 0 : since / all));
      }
    }
    int latest = places[places.length - 1];
    for (Pose pose : path.subList(latest, path.size())) {
      along.add(after[places.length - 1].then(path.get(latest).to(pose)));
    }
    return along;
  }

  /** Metres, and as many for radians. */
  static double way(Pose from, Pose to) {
    return from.distance(to) + turn(from, to);
  }

  static double turn(Pose from, Pose to) {
    return Math.abs(Pose.wrap(to.theta() - from.theta()));
  }
}
