package org.cartostream.slam.graph;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.settings.FilterSettings;

/**
 * A search for the loops of a {@link GrowingPoseGraph} in its state at one reading, and for the
 * poses that fit them. A pure function of its inputs, to the last bit: any thread may run it, once;
 * after a state was read from a checkpoint it runs again.
 *
 * <ol>
 *   <li>Each place is looked at once, when all scans around it are there ({@link LoopSearch}).
 *       Places are so far apart that no scan belongs to two: another edge from the same scans would
 *       say nothing new. While the edges found agree with the nodes' poses, the places are up to
 *       twice as far apart: where the map is right there is less to look for.
 *   <li>The graph is solved ({@link PoseGraph}) when an edge that {@link LoopConsensus} believes
 *       does not fit, or the filter's path has changed; it starts from the last solution. Otherwise
 *       new nodes follow from the last node, and no node moves.
 *   <li>The whole graph is solved while that costs little for each node (see {@link
 *       GraphSolution.SolverBudget}); else only the nodes behind the last loop are solved, and the
 *       others held.
 *   <li>No edge is thrown away: edges that do not fit count for little, decided anew in each
 *       solution, so that a loop that later loops contradict is opened again, unless its nodes are
 *       held.
 *   <li>Edges do not fix the graph's pose as a whole. Holding the first node would turn a large map
 *       about it with each small change there; so the graph is laid where its nodes move least.
 * </ol>
 */
public final class OnlineLoopClosure {

  static final double MIN_APART_METRES = 2 * LocalSubmaps.PANORAMA_WAY;

  /**
   * Greatest distance between places. It is less than what {@link LoopConsensus} takes for nearby,
   * so that edges of two places in a row can confirm each other.
   */
  private static final double MAX_APART_METRES = 2 * MIN_APART_METRES;

  /** Squared error, in standard deviations, up to which a new edge agrees with the nodes. */
  private static final double AGREES = 4;

  private static final Logger LOG = System.getLogger(OnlineLoopClosure.class.getName());

  private final FilterSettings settings;
  private final long dueAt;
  private final GrowingPoseGraph.Node[] nodes;
  private final Pose[] path;
  private final GraphSolution before;
  private transient FutureTask<GraphSolution> task = new FutureTask<>(this::found);

  /**
   * @param dueAt number of the reading from which on the result counts
   * @param path the filter's local poses of the nodes
   */
  OnlineLoopClosure(
      FilterSettings settings,
      long dueAt,
      GrowingPoseGraph.Node[] nodes,
      Pose[] path,
      GraphSolution before) {
    this.settings = settings;
    this.dueAt = dueAt;
    this.nodes = nodes;
    this.path = path;
    this.before = before;
  }

  /** Returns a new search in place of one read from a checkpoint: results are not stored. */
  private Object readResolve() {
    task = new FutureTask<>(this::found);
    return this;
  }

  /** Returns the number of the reading from which on the result counts. */
  public long dueAt() {
    return dueAt;
  }

  /**
   * Runs the search, unless another thread does or has. After a drive of 2 km it takes up to 0.2 s.
   */
  public void run() {
    task.run();
  }

  /** Returns true if {@link #result} need not wait. */
  public boolean isDone() {
    return task.isDone();
  }

  /**
   * Returns the solution found. Runs the search first, if no thread has.
   *
   * @throws IllegalStateException if the search failed
   */
  GraphSolution result() {
    task.run();
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while loops were searched", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the search for loops failed: " + e.getCause(), e);
    }
  }

  /**
   * Returns the solution found; the solution before if the search fails, so that the robot goes on.
   */
  private GraphSolution found() {
    try {
      return solve();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "no loops are closed up to reading " + dueAt, e);
      return before;
    }
  }

  private GraphSolution solve() {
    Pose[] now = before.moved(path);
    double[] way = Arrays.stream(nodes).mapToDouble(GrowingPoseGraph.Node::way).toArray();
    double cell = Math.max(LoopCloser.FINEST_CELL, settings.cellMetres());
    Beams[] beams = new Beams[nodes.length];
    LocalSubmaps submaps = new LocalSubmaps(now, i -> beams(beams, i, cell), way);
    GraphSolution.NextPlace next = before.nextPlace();
    List<Integer> places = new ArrayList<>();
    int node = next.node();
    double last = next.last();
    for (; way[node] + LocalSubmaps.PANORAMA_WAY <= way[way.length - 1]; node++) {
      if (way[node] > last + next.apart()) {
        places.add(node);
        last = way[node];
      }
    }
    LoopSearch search =
        new LoopSearch(settings.loops(), settings.matcher(), cell, LoopSearch.SLIP_METRES);
    List<Edge> known = Stream.of(before.found()).filter(edge -> PoseGraph.fits(edge, now)).toList();
    List<Edge> edges = search.edges(submaps, known, places);
    List<Edge> newEdges = edges.subList(known.size(), edges.size());
    List<Edge> found = new ArrayList<>(List.of(before.found()));
    found.addAll(newEdges);
    double apart = places.isEmpty() ? next.apart() : apart(newEdges, now, next.apart());
    GraphSolution after =
        before
            .with(found.toArray(Edge[]::new), new GraphSolution.NextPlace(node, last, apart))
            .with(before.work().earn(GrowingPoseGraph.SEARCH_NODES));
    boolean isOutdated = before.isOutdated(path);
    if (newEdges.isEmpty() && !isOutdated) {
      return after;
    }
    List<Edge> believed = LoopConsensus.of(found, submaps);
    Set<Edge> used = new HashSet<>(List.of(before.used()));
    if (!isOutdated && believed.stream().allMatch(edge -> used.contains(edge) || fits(edge, now))) {
      return after;
    }
    List<Edge> all = new ArrayList<>(believed);
    all.addAll(LoopCloser.chain(path));
    GraphSolution.SolverBudget work = after.work();
    Pose[] fitted = null;
    if (work.suffices()) {
      PoseGraph whole = new PoseGraph(all, 1, work.earned());
      fitted = whole.fitted(now);
      work = work.spent(whole.productsLeft());
    }
    fitted = fitted == null ? tail(believed, all, now) : laidOn(now, fitted);
    if (!Arrays.stream(fitted).allMatch(Pose::isFinite)) {
      throw new IllegalStateException("the graph cannot be solved");
    }
    return after
        .with(work)
        .with(uncertainty(all, fitted))
        .solved(path, fitted, believed.toArray(Edge[]::new));
  }

  /**
   * Returns the newest node's marginal covariance with the first node held, by the path and the
   * loop edges that fit, carried to the origin. If it costs too much, the last known covariance.
   */
  private SymmetricMatrix3 uncertainty(List<Edge> edges, Pose[] fitted) {
    List<Edge> fitting =
        edges.stream().filter(edge -> !edge.isLoop() || PoseGraph.fits(edge, fitted)).toList();
    SymmetricMatrix3 marginal =
        new PoseGraph(fitting, 1, GraphSolution.SolverBudget.OF_AN_UNCERTAINTY)
            .covarianceOfLast(fitted);
    Pose newest = fitted[fitted.length - 1];
    return marginal == null ? before.uncertainty() : marginal.carried(-newest.x(), -newest.y());
  }

  /**
   * Solves the graph with the nodes up to the last loop held; returns {@code now} if even that
   * costs too much.
   */
  private Pose[] tail(List<Edge> believed, List<Edge> edges, Pose[] now) {
    int mover =
        believed.stream()
            .filter(edge -> !fits(edge, now))
            .mapToInt(Edge::to)
            .min()
            .orElse(now.length);
    int held = before.settled(path, mover);
    Pose[] fitted = new PoseGraph(edges, held, GraphSolution.SolverBudget.MAX_EARNED).fitted(now);
    return fitted == null ? now : fitted;
  }

  /** Returns the distance to the next place: doubled, up to a bound, while new edges agree. */
  private static double apart(List<Edge> newEdges, Pose[] now, double before) {
    boolean agree = !newEdges.isEmpty() && newEdges.stream().allMatch(edge -> fits(edge, now));
    return agree ? Math.min(2 * before, MAX_APART_METRES) : MIN_APART_METRES;
  }

  private static boolean fits(Edge edge, Pose[] now) {
    return edge.squaredError(now) <= AGREES;
  }

  private Beams beams(Beams[] known, int node, double cellMetres) {
    if (known[node] == null) {
      known[node] =
          Beams.of(nodes[node].scan(), TiledMap.UNITS / cellMetres, settings.independentRadians());
    }
    return known[node];
  }

  /**
   * Returns poses moved as one rigid body to lie nearest to {@code where}: by least squares of the
   * distances (Horn, Closed-form solution of absolute orientation using unit quaternions, 1987, in
   * the plane).
   */
  static Pose[] laidOn(Pose[] where, Pose[] poses) {
    double count = poses.length;
    double x = 0;
    double y = 0;
    double toX = 0;
    double toY = 0;
    for (int i = 0; i < poses.length; i++) {
      x += poses[i].x() / count;
      y += poses[i].y() / count;
      toX += where[i].x() / count;
      toY += where[i].y() / count;
    }
    double sin = 0;
    double cos = 0;
    for (int i = 0; i < poses.length; i++) {
      double ahead = poses[i].x() - x;
      double left = poses[i].y() - y;
      double toAhead = where[i].x() - toX;
      double toLeft = where[i].y() - toY;
      cos += ahead * toAhead + left * toLeft;
      sin += ahead * toLeft - left * toAhead;
    }
    double turn = StrictMath.atan2(sin, cos);
    Pose centre = new Pose(0, 0, turn).then(new Pose(x, y, 0));
    Pose move = new Pose(toX - centre.x(), toY - centre.y(), turn);
    return Arrays.stream(poses).map(move::then).toArray(Pose[]::new);
  }
}
