package org.cartostream.gateway.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.PathPose;

/**
 * The results that the service sends at the end of a run: path, last map and report. Owns the parts
 * that have come.
 */
final class FinalResults {

  private final SortedMap<Integer, TrajectoryMessage> parts = new TreeMap<>();

  /** Localisation of a robot, which is sent no map; empty if it makes its map. */
  private final Optional<LocalisationAttachment> localisation;

  private OccupancyGrid map;
  private FinishedMessage finished;

  FinalResults(Optional<LocalisationAttachment> localisation) {
    this.localisation = localisation;
  }

  void accept(TrajectoryMessage part) {
    parts.put(part.part(), part);
  }

  void accept(OccupancyGrid lastMap) {
    map = lastMap;
  }

  void accept(FinishedMessage report) {
    finished = report;
  }

  boolean isComplete() {
    return finished != null && map() != null && hasWholePath();
  }

  /** True if the service reports that it could not go on with the run. */
  boolean isBroken() {
    return finished != null && !finished.failure().isEmpty();
  }

  boolean hasWholePath() {
    return !parts.isEmpty() && parts.size() == parts.get(parts.firstKey()).parts();
  }

  /** Returns the results that have not come, in words for people. */
  String missing() {
    List<String> missing = new ArrayList<>();
    if (!hasWholePath()) {
      missing.add("trajectory");
    }
    if (map() == null) {
      missing.add("map");
    }
    if (finished == null) {
      missing.add("report");
    }
    return String.join(", ", missing);
  }

  OccupancyGrid map() {
    return localisation.map(known -> known.map().grid()).orElse(map);
  }

  FinishedMessage finished() {
    return finished;
  }

  List<PathPose> path() {
    return parts.values().stream().flatMap(part -> part.poses().stream()).toList();
  }
}
