package org.cartostream.slam.trajectory.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.graph.LoopCloser;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.server.StartingMap;
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
  private final LoopClosureReport loopClosureReport;
  private final List<ClosedLoop> loops;

  /**
   * @param startingMap what was known before the path
   * @param scans in the order of the path; never change
   */
  RecordedPath(
      FilterSettings settings,
      StartingMap startingMap,
      List<PathPose> path,
      Iterable<PathScan> scans) {
    this(settings, startingMap, path, scans, LoopClosureReport.NONE, List.of());
  }

  private RecordedPath(
      FilterSettings settings,
      StartingMap startingMap,
      List<PathPose> path,
      Iterable<PathScan> scans,
      LoopClosureReport loopClosureReport,
      List<ClosedLoop> loops) {
    this.settings = settings;
    this.startingMap = startingMap;
    this.path = List.copyOf(path);
    this.scans = scans;
    this.loopClosureReport = loopClosureReport;
    this.loops = loops;
  }

  /** One pose per processed reading, in their order. */
  public List<PathPose> path() {
    return path;
  }

  /** Free, occupied and unknown space as seen along the path. It takes time: all is drawn anew. */
  public RayTracedMap map() {
    RayTracedMap map = startingMap.drawn(settings.cellMetres());
    for (PathScan each : scans) {
      map.trace(path.get(each.pathIndex()).pose(), each.scan());
    }
    return map;
  }

  /** Returns the report of its loop closure; an empty one if that was not tried. */
  public LoopClosureReport loopsClosed() {
    return loopClosureReport;
  }

  /**
   * The loop edges that were found when its loops were closed, where the path is; to be shown,
   * {@link ClosedLoop#MAX_SHOWN} at most.
   */
  public List<ClosedLoop> loops() {
    return loops;
  }

  /** Returns a copy with its loops closed. It takes time: some 5 s for a kilometre. */
  public RecordedPath withLoopsClosed() {
    long start = System.nanoTime();
    List<Pose> poses = path.stream().map(PathPose::pose).toList();
    int[] places = eachScan().mapToInt(PathScan::pathIndex).toArray();
    List<Pose> viewpoints = IntStream.of(places).mapToObj(poses::get).toList();
    LoopCloser closer =
        new LoopCloser(
            settings.loops(),
            settings.matcher(),
            settings.cellMetres(),
            settings.independentRadians());
    Optional<LoopCloser.Result> result =
        closer.closeLoops(viewpoints, eachScan().map(PathScan::scan));
    List<Pose> after =
        result.map(each -> LoopCloser.interpolate(poses, places, each.poses())).orElse(poses);
    double moved = 0;
    List<PathPose> bent = new ArrayList<>();
    for (int i = 0; i < after.size(); i++) {
      PathPose before = path.get(i);
      moved = Math.max(moved, before.pose().distance(after.get(i)));
      bent.add(new PathPose(before.sequence(), before.stampNanos(), after.get(i)));
    }
    List<LoopCloser.Loop> edges = result.map(LoopCloser.Result::loops).orElse(List.of());
    List<ClosedLoop> shown =
        ClosedLoop.shown(edges.size(), i -> onPath(bent, places, edges.get(i)));
    long nanos = settings.loops().searchMetres() > 0 ? System.nanoTime() - start : 0;
    LoopClosureReport report = new LoopClosureReport(edges.size(), moved, nanos);
    return new RecordedPath(settings, startingMap, bent, scans, report, shown);
  }

  private static ClosedLoop onPath(List<PathPose> path, int[] places, LoopCloser.Loop loop) {
    return new ClosedLoop(
        stamped(path.get(places[loop.first()])), stamped(path.get(places[loop.again()])));
  }

  private static StampedPose stamped(PathPose pose) {
    return new StampedPose(pose.stampNanos(), pose.pose());
  }

  private Stream<PathScan> eachScan() {
    return StreamSupport.stream(scans.spliterator(), false);
  }
}
