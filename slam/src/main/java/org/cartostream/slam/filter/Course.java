package org.cartostream.slam.filter;

import java.util.List;
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
    return this;
  }
}
