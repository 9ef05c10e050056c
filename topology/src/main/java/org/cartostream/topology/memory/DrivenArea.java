package org.cartostream.topology.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.MapGrowth;

/**
 * Where a robot was, by odometry, since its map was drawn last: what the next map can show that
 * this one does not.
 *
 * <p>Owns the latest positions, {@value #MOST} at most.
 */
final class DrivenArea {

  private static final int MOST = 1000;

  private record Place(long sequence, double x, double y, double farthest) {}

  private final Deque<Place> places = new ArrayDeque<>();

  /**
   * The robot was there at a reading.
   *
   * @param farthest its longest range, metres
   */
  void add(long sequence, Pose odometry, double farthest) {
    if (places.size() == MOST) {
      places.remove();
    }
    places.add(new Place(sequence, odometry.x(), odometry.y(), farthest));
  }

  /** A map shows the readings up to this one. */
  void drawn(long sequence) {
    places.removeIf(place -> place.sequence() <= sequence);
  }

  void clear() {
    places.clear();
  }

  /**
   * What the next map may take more than the latest with a further reading: the square around each
   * place, or the rectangle around all of them, whichever is less.
   */
  long bytes(MapGrowth mapGrowth, Pose next, double farthest) {
    double left = next.x();
    double right = next.x();
    double below = next.y();
    double above = next.y();
    double most = farthest;
    long each = mapGrowth.ofDrawnMap(0, 0, farthest);
    for (Place place : places) {
      left = Math.min(left, place.x());
      right = Math.max(right, place.x());
      below = Math.min(below, place.y());
      above = Math.max(above, place.y());
      most = Math.max(most, place.farthest());
      each += mapGrowth.ofDrawnMap(0, 0, place.farthest());
    }
    return Math.min(each, mapGrowth.ofDrawnMap(right - left, above - below, most));
  }
}
