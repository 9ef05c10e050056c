package org.cartostream.broker.message;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.trajectory.PathPose;

/**
 * Part of the best particle's whole path, oldest pose first; service to robot.
 *
 * @param part number of this part, from 0
 * @param parts number of parts in all, at least 1: an empty path is one empty part
 * @param poses poses of this part, at most {@link #POSES_A_PART}
 */
public record TrajectoryMessage(int part, int parts, List<PathPose> poses) implements Message {

  /** Maximum number of poses in one part: 450 kB, far below any limit of a message. */
  public static final int POSES_A_PART = 10_000;

  public TrajectoryMessage {
    if (part < 0 || part >= parts) {
      throw new IllegalArgumentException("there is no part " + part + " of " + parts);
    }
    if (poses.size() > POSES_A_PART) {
      throw new IllegalArgumentException(
          "a part has at most " + POSES_A_PART + " poses, not " + poses.size());
    }
    poses = List.copyOf(poses);
  }

  /** Cuts a path into parts. */
  public static List<TrajectoryMessage> partsOf(List<PathPose> path) {
    int parts = Math.max(1, (path.size() + POSES_A_PART - 1) / POSES_A_PART);
    List<TrajectoryMessage> messages = new ArrayList<>(parts);
    for (int part = 0; part < parts; part++) {
      int from = part * POSES_A_PART;
      int to = Math.min(path.size(), from + POSES_A_PART);
      messages.add(new TrajectoryMessage(part, parts, path.subList(from, to)));
    }
    return messages;
  }
}
