package org.cartostream.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cartostream.broker.FinishedMessage;
import org.cartostream.broker.TrajectoryMessage;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.map.OccupancyGrid;

/** Owns what the service sends at the end of a run, until all of it is there. */
final class Ending {

  private final SortedMap<Integer, TrajectoryMessage> parts = new TreeMap<>();
  private OccupancyGrid map;
  private FinishedMessage finished;

  void take(TrajectoryMessage part) {
    parts.put(part.part(), part);
  }

  void take(OccupancyGrid lastMap) {
    map = lastMap;
  }

  void take(FinishedMessage report) {
    finished = report;
  }

  boolean isComplete() {
    return finished != null && map != null && hasWholePath();
  }

  /** True if the service reports that it could not go on with the run. */
  boolean isBroken() {
    return finished != null && !finished.failure().isEmpty();
  }

  boolean hasWholePath() {
    return !parts.isEmpty() && parts.size() == parts.get(parts.firstKey()).parts();
  }

  /** What has not come, for people. */
  String missing() {
    List<String> missing = new ArrayList<>();
    if (!hasWholePath()) {
      missing.add("trajectory");
    }
    if (map == null) {
      missing.add("map");
    }
    if (finished == null) {
      missing.add("report");
    }
    return String.join(", ", missing);
  }

  OccupancyGrid map() {
    return map;
  }

  FinishedMessage finished() {
    return finished;
  }

  List<PathPose> path() {
    return parts.values().stream().flatMap(part -> part.poses().stream()).toList();
  }
}
