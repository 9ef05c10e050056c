package org.cartostream.web.playback;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.cartostream.slam.trajectory.StampedPose;

/** Columns of poses for JSON: seconds, x, y, theta, rounded to thousandths. */
final class PoseColumns {

  private PoseColumns() {}

  /**
   * Returns the columns by name.
   *
   * @param begins stamp of second 0, nanoseconds
   */
  static Map<String, Object> of(List<StampedPose> poses, long begins) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("seconds", column(poses, each -> (each.stampNanos() - begins) / 1e9));
    columns.put("x", column(poses, each -> each.pose().x()));
    columns.put("y", column(poses, each -> each.pose().y()));
    columns.put("theta", column(poses, each -> each.pose().theta()));
    return columns;
  }

  /** Returns a column rounded to thousandths: nobody sees less than a millimetre. */
  static <T> double[] column(List<T> rows, ToDoubleFunction<T> number) {
    return rows.stream()
        .mapToDouble(each -> Math.rint(1000 * number.applyAsDouble(each)) / 1000)
        .toArray();
  }
}
