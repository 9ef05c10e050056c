package org.cartostream.web.playback;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.trajectory.StampedPose;

/**
 * A path that is drawn over a run's: another run's, or a reference.
 *
 * @param name for people
 * @param isReference true if it tells where the robot really was
 * @param poses in the frame of the run's map
 */
public record OtherPath(String name, boolean isReference, List<StampedPose> poses) {

  public OtherPath {
    poses = List.copyOf(poses);
  }

  /**
   * Returns the path as an object of JSON, in the time of a run; by its own from its beginning if
   * it was driven at another time.
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
