package org.cartostream.slam.trajectory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.geometry.Pose;

/**
 * A loop edge of the pose graph by which a map was corrected: two moments at which the robot was at
 * one place, by a scan match that other loops confirm.
 *
 * @param first in the {@code map} frame, as the next
 * @param again when it came back
 */
public record ClosedLoop(StampedPose first, StampedPose again) {

  /** Loops where a path has their moments; without those of which it lacks one. */
  public static List<ClosedLoop> on(List<PathPose> path, List<ClosedLoop> loops) {
    Map<Long, Pose> poses = new HashMap<>();
    path.forEach(each -> poses.put(each.stampNanos(), each.pose()));
    return loops.stream()
        .filter(each -> poses.containsKey(each.first.stampNanos()))
        .filter(each -> poses.containsKey(each.again.stampNanos()))
        .map(each -> new ClosedLoop(at(each.first, poses), at(each.again, poses)))
        .toList();
  }

  private static StampedPose at(StampedPose moment, Map<Long, Pose> poses) {
    return new StampedPose(moment.stampNanos(), poses.get(moment.stampNanos()));
  }
}
