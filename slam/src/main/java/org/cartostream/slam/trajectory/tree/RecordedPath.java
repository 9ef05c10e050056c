package org.cartostream.slam.trajectory.tree;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.graph.GraphSolution;
import org.cartostream.slam.graph.LoopCloser;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;

/**
 * A robot's path with the scans that were taken on it, whose loops can be closed. Immutable: it may
 * be handed to another thread.
 */
public final class RecordedPath {

  private final FilterSettings settings;
  private final StartingMap startingMap;
  private final List<PathPose> path;
  private final Iterable<PathScan> scans;
  private final Supplier<GraphSolution> wayGraph;
  private final LoopClosureReport loopClosureReport;
  private final List<ClosedLoop> loops;

  /**
   * @param startingMap the map with which the run began
   * @param scans the scans, in the order of the path; they never change
   * @param wayGraph supplier of the last solution of the graph on the way; called when loops are
   *     closed
   */
  RecordedPath(
      FilterSettings settings,
      StartingMap startingMap,
      List<PathPose> path,
      Iterable<PathScan> scans,
      Supplier<GraphSolution> wayGraph) {
    this(settings, startingMap, path, scans, wayGraph, LoopClosureReport.NONE, List.of());
  }

  private RecordedPath(
      FilterSettings settings,
      StartingMap startingMap,
      List<PathPose> path,
      Iterable<PathScan> scans,
      Supplier<GraphSolution> wayGraph,
      LoopClosureReport loopClosureReport,
      List<ClosedLoop> loops) {
    this.settings = settings;
    this.startingMap = startingMap;
    this.path = List.copyOf(path);
    this.scans = scans;
    this.wayGraph = wayGraph;
    this.loopClosureReport = loopClosureReport;
    this.loops = loops;
  }

  /** One pose per processed reading, in their order. */
  public List<PathPose> path() {
    return path;
  }

  /** Passes the latest {@code max} key frames' poses and scans to {@code look}. */
  public void forLatest(int max, BiConsumer<Pose, Scan> look) {
    Deque<PathScan> latest = new ArrayDeque<>();
    for (PathScan each : scans) {
      latest.add(each);
      if (latest.size() > max) {
        latest.remove();
      }
    }
    latest.forEach(each -> look.accept(path.get(each.pathIndex()).pose(), each.scan()));
  }

  /**
   * Free, occupied and unknown space as seen along the path. It takes time: all scans are drawn
   * anew.
   */
  public RayTracedMap map() {
    return map(path);
  }

  private RayTracedMap map(List<PathPose> along) {
    RayTracedMap map =
        startingMap.drawn(settings.cellMetres(), settings.readingFilter().clearedMetres());
    for (PathScan each : scans) {
      map.trace(along.get(each.pathIndex()).pose(), each.scan());
    }
    return map;
  }

  /** Returns the report of the path's loop closure; an empty report if there was none. */
  public LoopClosureReport loopsClosed() {
    return loopClosureReport;
  }

  /**
   * Returns the loop edges by which the path was closed, at the path's poses, for display: {@link
   * ClosedLoop#MAX_SHOWN} at most.
   */
  public List<ClosedLoop> loops() {
    return loops;
  }

  /**
   * Returns a copy with its loops closed: as they were on the way, or by the search at the end, if
   * the scans agree better along that ({@link RayTracedMap#codeLength}). A pure function of path,
   * scans, graph and settings. It takes time: some 2 s for a kilometre.
   */
  public RecordedPath withLoopsClosed() {
    long start = System.nanoTime();
    int[] places = eachScan().mapToInt(PathScan::pathIndex).toArray();
    List<Pose> viewpoints = IntStream.of(places).mapToObj(i -> path.get(i).pose()).toList();
    LoopCloser closer =
        new LoopCloser(
            settings.loops(),
            settings.matcher(),
            settings.cellMetres(),
            settings.independentRadians());
    return closer
        .closeLoops(viewpoints, eachScan().map(PathScan::scan), graphNodes(), wayGraph.get())
        .map(result -> better(result, places, start))
        .orElseGet(() -> with(path, report(path, 0, start, 0, 0), List.of()));
  }

  /**
   * Returns the report on a path of which the scans are checked, unless loops are not looked for.
   */
  private LoopClosureReport report(
      List<PathPose> taken, int loops, long start, double wayBits, double endBits) {
    boolean searched = settings.loops().searchMetres() > 0;
    RevisitedPlaces check =
        searched ? RevisitedPlaces.of(taken, eachScan().iterator()) : new RevisitedPlaces(0, 0);
    double moved =
        IntStream.range(0, path.size())
            .mapToDouble(i -> path.get(i).pose().distance(taken.get(i).pose()))
            .max()
            .orElse(0);
    return new LoopClosureReport(
        loops,
        moved,
        searched ? System.nanoTime() - start : 0,
        wayBits,
        endBits,
        check.places(),
        check.contradicted());
  }

  private RecordedPath with(
      List<PathPose> other, LoopClosureReport report, List<ClosedLoop> closed) {
    return new RecordedPath(settings, startingMap, other, scans, wayGraph, report, closed);
  }

  /** Returns which of the scans, counted from 0, are nodes of the graph on the way. */
  private int[] graphNodes() {
    int[] nodes = eachScan().mapToInt(PathScan::graphNode).toArray();
    return IntStream.range(0, nodes.length)
        .filter(i -> nodes[i] > (i == 0 ? -1 : nodes[i - 1]))
        .toArray();
  }

  private RecordedPath better(LoopCloser.Result result, int[] places, long start) {
    List<PathPose> way = carried(result.way(), places);
    List<PathPose> end = carried(result.end(), places);
    double wayBits = map(way).codeLength();
    double endBits = map(end).codeLength();
    List<PathPose> taken = endBits < wayBits ? end : way;
    List<LoopCloser.Loop> edges = (taken == end ? result.end() : result.way()).loops();
    List<ClosedLoop> shown =
        ClosedLoop.shown(edges.size(), i -> onPath(taken, places, edges.get(i)));
    return with(taken, report(taken, edges.size(), start, wayBits, endBits), shown);
  }

  /** Returns the whole path, carried along by its corrected viewpoints. */
  private List<PathPose> carried(LoopCloser.ClosedPath by, int[] places) {
    List<Pose> poses = path.stream().map(PathPose::pose).toList();
    List<Pose> after = LoopCloser.interpolate(poses, places, by.poses().toArray(Pose[]::new));
    return IntStream.range(0, path.size())
        .mapToObj(i -> new PathPose(path.get(i).sequence(), path.get(i).stampNanos(), after.get(i)))
        .toList();
  }

  private static ClosedLoop onPath(List<PathPose> path, int[] places, LoopCloser.Loop loop) {
    return new ClosedLoop(
        stamped(path.get(places[loop.first()])), stamped(path.get(places[loop.again()])));
  }

  private static StampedPose stamped(PathPose pose) {
    return new StampedPose(pose.stampNanos(), pose.pose());
  }

  /** Returns the scans of key frames. Other scans met nothing, and serve for drawing only. */
  private Stream<PathScan> eachScan() {
    return StreamSupport.stream(scans.spliterator(), false).filter(each -> each.scan().hasHit());
  }
}
