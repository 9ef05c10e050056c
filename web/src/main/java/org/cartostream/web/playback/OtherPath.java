package org.cartostream.web.playback;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.trajectory.StampedPose;

/**
 * Path that is drawn over a run's path: of another run, or a reference.
 *
 * @param name name of the path, for people
 * @param isReference true if the path is where the robot really was
 * @param poses poses in the frame of the run's map
 */
public record OtherPath(String name, boolean isReference, List<StampedPose> poses) {

  public OtherPath {
    poses = List.copyOf(poses);
  }

  /**
   * Returns the path as a JSON object. Its times count from the run's first reading, or from the
   * path's own first pose if it was driven at another time.
   *
   * @param runBegins stamp of the run's first reading, nanoseconds
   * @param runEnds stamp of the run's last reading, nanoseconds
   */
  Map<String, Object> json(long runBegins, long runEnds) {
    boolean isOfThatTime =
        !poses.isEmpty()
            && poses.get(0).stampNanos() <= runEnds
            && poses.get(poses.size() - 1).stampNanos() >= runBegins;
    long begins = isOfThatTime || poses.isEmpty() ? runBegins : poses.get(0).stampNanos();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put("reference", isReference);
    json.put("poses", PoseColumns.of(poses, begins));
    return json;
  }
}
