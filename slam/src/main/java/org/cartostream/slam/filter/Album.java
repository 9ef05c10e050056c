package org.cartostream.slam.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.cartostream.slam.geometry.Pose;

/**
 * The scans of a path's key frames, kept so that its loops can be closed when nothing more comes.
 *
 * <p>Owns them, no more than a number of ranges in all: when there are too many, those go that were
 * taken nearest to others, again and again.
 */
final class Album {

  /** What the least distance is first, metres and radians: key frames are about as far apart. */
  private static final double FIRST_APART = 0.02;

  private final long mostRanges;
  private final List<Seen> seen;
  private double apart;
  private long ranges;

  /**
   * @param seen what another has kept
   * @param apart how far apart the other's scans are, see {@link #apart}
   */
  Album(long mostRanges, Seen[] seen, double apart) {
    this.mostRanges = mostRanges;
    this.seen = new ArrayList<>(Arrays.asList(seen));
    this.apart = apart;
    for (Seen each : seen) {
      ranges += each.scan().beams();
    }
  }

  /** All that is kept, in the order of the path. */
  List<Seen> seen() {
    return seen;
  }

  /** How far from the one before a scan must be to be kept, metres or radians; 0 for any. */
  double apart() {
    return apart;
  }

  /** Takes in what was seen last on a path. */
  void take(Seen latest, List<PathPose> path) {
    if (isApart(seen, latest, path)) {
      seen.add(latest);
      ranges += latest.scan().beams();
    }
    while (ranges > mostRanges && seen.size() > 1) {
      thin(path);
    }
  }

  private void thin(List<PathPose> path) {
    apart = Math.max(FIRST_APART, 2 * apart);
    List<Seen> all = List.copyOf(seen);
    seen.clear();
    ranges = 0;
    for (Seen each : all) {
      if (isApart(seen, each, path)) {
        seen.add(each);
        ranges += each.scan().beams();
      }
    }
  }

  private boolean isApart(List<Seen> kept, Seen next, List<PathPose> path) {
    if (kept.isEmpty()) {
      return true;
    }
    Pose last = path.get(kept.get(kept.size() - 1).place()).pose();
    Pose here = path.get(next.place()).pose();
    return last.distance(here) >= apart
        || Math.abs(Pose.wrap(here.theta() - last.theta())) >= apart;
  }
}
