package org.cartostream.slam.trajectory;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A loop edge of the pose graph by which a map was corrected: two moments at which the robot was
 * near one place, by a scan match that other loops confirm.
 *
 * @param first pose at the earlier moment, in the {@code map} frame
 * @param again pose at the later moment, in the {@code map} frame
 */
public record ClosedLoop(StampedPose first, StampedPose again) {

  /**
   * Maximum number of loops that are shown: more lines cannot be told apart, and all are sent at
   * each correction.
   */
  public static final int MAX_SHOWN = 1_000;

  /**
   * Returns at most {@link #MAX_SHOWN} of the loops: of more every second one, or every third, and
   * so on.
   */
  public static List<ClosedLoop> shown(int count, IntFunction<ClosedLoop> loops) {
    int stride = Math.max(1, (count + MAX_SHOWN - 1) / MAX_SHOWN);
    return IntStream.iterate(0, i -> i < count, i -> i + stride).mapToObj(loops).toList();
  }
}
