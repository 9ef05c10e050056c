package org.cartostream.web.playback;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.cartostream.slam.trajectory.StampedPose;

/** Poses as columns of JSON: seconds, x, y, theta; to thousandths. */
final class PoseColumns {

  private PoseColumns() {}

  /**
   * The columns.
   *
   * @param begins the stamp of second 0
   */
  static Map<String, Object> of(List<StampedPose> poses, long begins) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("seconds", column(poses, each -> (each.stampNanos() - begins) / 1e9));
    columns.put("x", column(poses, each -> each.pose().x()));
    columns.put("y", column(poses, each -> each.pose().y()));
    columns.put("theta", column(poses, each -> each.pose().theta()));
    return columns;
  }

  /** Rounded to thousandths: nobody sees less than a millimetre. */
  static <T> double[] column(List<T> rows, ToDoubleFunction<T> number) {
    return rows.stream()
        .mapToDouble(each -> Math.rint(1000 * number.applyAsDouble(each)) / 1000)
        .toArray();
  }
}
