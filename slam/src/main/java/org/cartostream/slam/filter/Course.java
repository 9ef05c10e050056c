package org.cartostream.slam.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.graph.LoopCloser;
import org.cartostream.slam.graph.Viewpoint;
import org.cartostream.slam.map.TracedMap;

/**
 * Where a robot has been, and what it saw from there. Never changes: it may be handed to another
 * thread.
 */
public final class Course {

  private final FilterSettings settings;
  private final List<PathPose> path;
  private final List<Seen> seen;
  private final LoopsClosed loopsClosed;

  Course(FilterSettings settings, List<PathPose> path, List<Seen> seen) {
    this(settings, path, seen, LoopsClosed.NONE);
  }

  private Course(
      FilterSettings settings, List<PathPose> path, List<Seen> seen, LoopsClosed loopsClosed) {
    this.settings = settings;
    this.path = List.copyOf(path);
    this.seen = List.copyOf(seen);
    this.loopsClosed = loopsClosed;
  }

  /** One pose per processed reading, in their order. */
  public List<PathPose> path() {
    return path;
  }

  /** Free, occupied and unknown space as seen along the path. It takes time: all is drawn anew. */
  public TracedMap map() {
    TracedMap map = new TracedMap(settings.cellMetres());
    for (Seen each : seen) {
      map.trace(path.get(each.place()).pose(), each.scan());
    }
    return map;
  }

  /** What came of closing its loops; nothing, if that was not tried. */
  public LoopsClosed loopsClosed() {
    return loopsClosed;
  }

  /** The same with its loops closed. It takes time: some 15 s for a kilometre. */
  public Course closed() {
    long start = System.nanoTime();
    List<Pose> poses = path.stream().map(PathPose::pose).toList();
    int[] places = seen.stream().mapToInt(Seen::place).toArray();
    List<Viewpoint> viewpoints =
        seen.stream().map(each -> new Viewpoint(poses.get(each.place()), each.scan())).toList();
    LoopCloser closer =
        new LoopCloser(
            settings.loops(),
            settings.matcher(),
            settings.cellMetres(),
            settings.independentRadians());
    Optional<LoopCloser.Closed> closed = closer.closed(viewpoints);
    List<Pose> after =
        closed.map(each -> LoopCloser.along(poses, places, each.poses())).orElse(poses);
    double moved = 0;
    List<PathPose> bent = new ArrayList<>();
    for (int i = 0; i < after.size(); i++) {
      PathPose before = path.get(i);
      moved = Math.max(moved, before.pose().distance(after.get(i)));
      bent.add(new PathPose(before.sequence(), before.stampNanos(), after.get(i)));
    }
    int loops = closed.map(LoopCloser.Closed::loops).orElse(0);
    long nanos = settings.loops().searchMetres() > 0 ? System.nanoTime() - start : 0;
    return new Course(settings, bent, seen, new LoopsClosed(loops, moved, nanos));
  }
}
