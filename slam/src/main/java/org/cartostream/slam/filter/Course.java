package org.cartostream.slam.filter;

import java.util.ArrayList;
import java.util.List;
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

  Course(FilterSettings settings, List<PathPose> path, List<Seen> seen) {
    this.settings = settings;
    this.path = List.copyOf(path);
    this.seen = List.copyOf(seen);
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

  /** The same with its loops closed. It takes time: some seconds for a kilometre. */
  public Course closed() {
    List<Viewpoint> viewpoints =
        seen.stream()
            .map(each -> new Viewpoint(path.get(each.place()).pose(), each.scan()))
            .toList();
    LoopCloser closer =
        new LoopCloser(
            settings.loops(),
            settings.matcher(),
            settings.cellMetres(),
            settings.independentRadians());
    return new Course(settings, taken(closer.closed(viewpoints)), seen);
  }

  /** The path, taken along by the poses at which something was seen. */
  private List<PathPose> taken(List<Pose> after) {
    List<PathPose> taken = new ArrayList<>();
    for (int i = 0; i < seen.size(); i++) {
      Pose before = path.get(seen.get(i).place()).pose();
      int end = i + 1 < seen.size() ? seen.get(i + 1).place() : path.size();
      for (PathPose each : path.subList(seen.get(i).place(), end)) {
        boolean isThere = each.pose().equals(before);
        Pose pose = isThere ? after.get(i) : after.get(i).then(before.to(each.pose()));
        taken.add(new PathPose(each.sequence(), each.stampNanos(), pose));
      }
    }
    return taken;
  }
}
