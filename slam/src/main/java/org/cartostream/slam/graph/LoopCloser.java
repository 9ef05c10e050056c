package org.cartostream.slam.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
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
 * Search for loops at the end of a path. It starts from the pose graph that grew on the way ({@link
 * GrowingPoseGraph}): its nodes, its loop edges and the poses that fit them. It also looks at what
 * the searches on the way had no time for: places closer together, and places that later loops have
 * moved.
 *
 * <ol>
 *   <li>Half a metre apart, or a third of a radian, viewpoints are nodes of a graph; from each to
 *       the next leads what the path says: that of all particles' mean, where there was a graph.
 *   <li>{@link LoopSearch} finds where the robot came back. Edges that are known and fit stay.
 *   <li>{@link LoopConsensus} says which of all are believed, and {@link PoseGraph} finds the poses
 *       that fit them and the path best. Edges that do not fit there are dropped.
 *   <li>These steps are repeated from the poses found, for where a loop was closed, more loops fit:
 *       until no node moves any more, or fifteen times.
 *   <li>Poses between two nodes are moved along with these.
 * </ol>
 *
 * <p>A pure function of viewpoints, graph and settings, to the last bit. Not thread-safe.
 */
public final class LoopCloser {

  static final double NODE_METRES = 0.5;
  static final double NODE_RADIANS = 0.35;

  /**
   * Maximum number of nodes of the graph on the way, and of nodes behind its last, which are spaced
   * wider if need be.
   */
  static final int MAX_NODES = 20_000;

  /**
   * Maximum number of beams kept of each node's scan: all scans are held at once, 128 MB at most.
   */
  static final int MAX_BEAMS = 400;

  /**
   * Side of the finest cell, metres: in cells of half this side a search takes four times as long.
   */
  static final double FINEST_CELL = 0.05;

  private static final int MAX_ROUNDS = 15;

  /** Movement of a node from one round to the next below which the search ends, metres. */
  private static final double AT_REST_METRES = 0.1;

  // Standard deviation of the path's error from one node to the next: a constant part, and parts
  // per metre and per radian.
  private static final double ASTRAY_METRES = 0.01;
  private static final double ASTRAY_METRES_A_METRE = 0.01;
  private static final double ASTRAY_RADIANS = 0.002;
  private static final double ASTRAY_RADIANS_A_METRE = 0.004;
  private static final double ASTRAY_RADIANS_A_RADIAN = 0.01;

  /**
   * A path whose loops are closed.
   *
   * @param poses one for each viewpoint
   * @param loops loop edges that the poses fit
   */
  public record ClosedPath(List<Pose> poses, List<Loop> loops) {}

  /**
   * The path before and after this search.
   *
   * @param way the path with the loops that the graph on the way had closed after the last reading;
   *     it begins where the path does
   * @param end the path with the loops of this search closed, too; equal to {@code way} if none was
   *     found
   */
  public record Result(ClosedPath way, ClosedPath end) {}

  /** A loop edge, by the indices of the two viewpoints that it joins. */
  public record Loop(int first, int again) {}

  /** Nodes at their present poses, and the loop edges that fit these. */
  private record FittedPath(LocalSubmaps nodes, List<Edge> loops) {

    ClosedPath of(List<Pose> path, int[] places) {
      List<Loop> joined =
          loops.stream().map(each -> new Loop(places[each.from()], places[each.to()])).toList();
      return new ClosedPath(interpolate(path, places, nodes.poses()), joined);
    }
  }

  private final double unitsPerMetre;
  private final double independentRadians;
  private final boolean searches;
  private final DoubleFunction<LoopSearch> search;

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
    this.search = minMetres -> new LoopSearch(settings, matcher, cell, minMetres);
  }

  /**
   * Closes all loops of a path; empty if there are none.
   *
   * @param path viewpoints, in the order in which the robot came there
   * @param scans the scan of each viewpoint; read once
   * @param graphNodes which of the viewpoints are the nodes of the graph on the way; none if there
   *     was none
   * @param solution solution of the graph on the way, with all of its nodes
   */
  public Optional<Result> closeLoops(
      List<Pose> path, Stream<Scan> scans, int[] graphNodes, GraphSolution solution) {
    if (!searches || path.size() < 2) {
      return Optional.empty();
    }
    int[] places = places(path, graphNodes);
    LocalSubmaps open = nodes(path, scans.iterator(), places);
    Pose[] carried = solution.moved(open.poses());
    Pose toStart = open.poses()[0].then(carried[0].inverse());
    Arrays.setAll(carried, i -> toStart.then(carried[i]));
    List<Edge> known =
        Stream.of(solution.found()).filter(edge -> PoseGraph.fits(edge, carried)).toList();
    FittedPath way = new FittedPath(open.at(carried), known);
    double minMetres = graphNodes.length > 0 ? LoopSearch.SEARCHED_METRES : LoopSearch.SLIP_METRES;
    FittedPath end = closeLoops(way, chain(solution.local(open.poses())), search.apply(minMetres));
    if (solution.number() == 0 && end.loops.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new Result(way.of(path, places), end.of(path, places)));
  }

  /**
   * Closes loops until no node moves any more.
   *
   * @param chain the edges between neighbouring nodes by the path
   */
  private FittedPath closeLoops(FittedPath way, List<Edge> chain, LoopSearch loopSearch) {
    FittedPath fittedPath = way;
    double moved = Double.MAX_VALUE;
    for (int round = 0; round < MAX_ROUNDS && moved >= AT_REST_METRES; round++) {
      List<Edge> found = loopSearch.edges(fittedPath.nodes, fittedPath.loops);
      List<Edge> loops = LoopConsensus.of(found, fittedPath.nodes);
      if (loops.isEmpty()) {
        return fittedPath;
      }
      FittedPath next = fitted(fittedPath.nodes, loops, chain);
      moved = furthest(fittedPath.nodes.poses(), next.nodes.poses());
      fittedPath = next;
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

  /**
   * Returns which of the viewpoints are nodes: the nodes of the graph on the way, and viewpoints
   * after its last node at the nodes' distance; at most {@link #MAX_NODES} of each.
   */
  static int[] places(List<Pose> path, int[] graphNodes) {
    int from = graphNodes.length == 0 ? 0 : graphNodes[graphNodes.length - 1];
    List<Integer> more = new ArrayList<>(graphNodes.length == 0 ? List.of(0) : List.of());
    Pose last = path.get(from);
    for (int i = from + 1; i < path.size(); i++) {
      Pose pose = path.get(i);
      if (last.distance(pose) >= NODE_METRES || turn(last, pose) >= NODE_RADIANS) {
        more.add(i);
        last = pose;
      }
    }
    int sparser = more.size() / (MAX_NODES + 1) + 1;
    IntStream rest = IntStream.range(0, more.size()).filter(i -> i % sparser == 0).map(more::get);
    return IntStream.concat(IntStream.of(graphNodes), rest).toArray();
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

  /** Returns the chain of edges by a path: from each node to the next. */
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
   * Returns all poses of a path after some of them have moved. A pose between two moved ones is
   * interpolated between where each of them would take it along, by its distance to them.
   *
   * @param places indices of the moved poses in the path, ascending; the first is 0
   * @param after the moved poses
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

  /** Returns the distance between two poses: metres, plus radians of turn. */
  static double way(Pose from, Pose to) {
    return from.distance(to) + turn(from, to);
  }

  static double turn(Pose from, Pose to) {
    return Math.abs(Pose.wrap(to.theta() - from.theta()));
  }
}
