package org.cartostream.topology.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.MapGrowth;

/**
 * The area that a robot has driven in since its map was drawn last, by odometry. It bounds what the
 * next map can add.
 *
 * <p>Owns the latest positions, {@value #MAX} at most.
 */
final class DrivenArea {

  private static final int MAX = 1000;

  private record Position(long sequence, double x, double y, double farthest, long bytes) {}

  private final Deque<Position> positions = new ArrayDeque<>();

  /**
   * The robot was there at a reading.
   *
   * @param farthest its longest range, metres
   * @param bytes that a drawn map takes more by its scan at most
   */
  void add(long sequence, Pose odometry, double farthest, long bytes) {
    if (positions.size() == MAX) {
      positions.remove();
    }
    positions.add(new Position(sequence, odometry.x(), odometry.y(), farthest, bytes));
  }

  /** A map shows the readings up to this one. */
  void drawn(long sequence) {
    positions.removeIf(position -> position.sequence() <= sequence);
  }

  void clear() {
    positions.clear();
  }

  /**
   * Returns what the next map may take more than the latest with a further reading: the square
   * around each position, or the rectangle around all of them, whichever is less.
   */
  long bytes(MapGrowth mapGrowth, Pose next, double farthest, long nextBytes) {
    double left = next.x();
    double right = next.x();
    double below = next.y();
    double above = next.y();
    double max = farthest;
    long each = nextBytes;
    for (Position position : positions) {
      left = Math.min(left, position.x());
      right = Math.max(right, position.x());
      below = Math.min(below, position.y());
      above = Math.max(above, position.y());
      max = Math.max(max, position.farthest());
      each += position.bytes();
    }
    return Math.min(each, mapGrowth.ofDrawnMap(right - left, above - below, max));
  }
}
