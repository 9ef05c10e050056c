package org.cartostream.topology.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.MapGrowth;

/**
 * The area in which a robot has driven since its map was drawn last, by odometry. It bounds the
 * memory that the next drawn map can add.
 *
 * <p>Owns the latest positions, {@value #MAX} at most.
 */
final class DrivenArea {

  private static final int MAX = 1000;

  private record Position(long sequence, double x, double y, double farthest, long bytes) {}

  private final Deque<Position> positions = new ArrayDeque<>();

  /**
   * Adds the robot's position at a reading.
   *
   * @param odometry pose by odometry, metres
   * @param farthest longest range of the reading's scan, metres
   * @param bytes upper bound of the bytes that the scan adds to a drawn map
   */
  void add(long sequence, Pose odometry, double farthest, long bytes) {
    if (positions.size() == MAX) {
      positions.remove();
    }
    positions.add(new Position(sequence, odometry.x(), odometry.y(), farthest, bytes));
  }

  /** Removes the positions of readings up to a number, which the drawn map shows. */
  void drawn(long sequence) {
    positions.removeIf(position -> position.sequence() <= sequence);
  }

  void clear() {
    positions.clear();
  }

  /**
   * Returns an upper bound of the bytes that the next drawn map takes more than the latest, if it
   * shows a further reading: the squares around all positions, or the rectangle around all of them,
   * whichever is less.
   *
   * @param next pose of the further reading by odometry
   * @param farthest longest range of its scan, metres
   * @param nextBytes upper bound of the bytes that its scan adds to a drawn map
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
