package org.cartostream.web.playback;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.web.topic.Counters;

/**
 * Columns of the steps that a page plays, for JSON: one for each figure, with a number for each
 * step.
 */
final class Timeline {

  private static final Counters NONE = new Counters(0, 0, 0, 0, 0, 0, false);

  private Timeline() {}

  static Map<String, Object> of(List<RecordedReading> steps) {
    Map<String, Object> columns =
        new LinkedHashMap<>(PoseColumns.of(poses(steps), steps.get(0).stampNanos()));
    List<Counters> counters = new ArrayList<>();
    Counters before = NONE;
    for (RecordedReading each : steps) {
      before = each.counters() == null ? before : each.counters();
      counters.add(before);
    }
    columns.put("reading", counters.stream().mapToLong(Counters::reading).toArray());
    columns.put("processed", counters.stream().mapToLong(Counters::processed).toArray());
    columns.put("refused", counters.stream().mapToLong(Counters::refused).toArray());
    columns.put("lost", counters.stream().mapToLong(Counters::lost).toArray());
    columns.put("neff", PoseColumns.column(counters, Counters::neff));
    columns.put("millis", PoseColumns.column(counters, Counters::millis));
    columns.put("map", steps.stream().mapToInt(each -> each.newest().map()).toArray());
    columns.put("loops", steps.stream().mapToInt(each -> each.newest().loops()).toArray());
    columns.put("firstPose", (int) steps.stream().takeWhile(each -> each.pose() == null).count());
    return columns;
  }

  /** Returns the poses of steps. Stamps never decrease, though outcomes may come out of order. */
  private static List<StampedPose> poses(List<RecordedReading> steps) {
    List<StampedPose> poses = new ArrayList<>(steps.size());
    long newest = Long.MIN_VALUE;
    for (RecordedReading each : steps) {
      newest = Math.max(newest, each.stampNanos());
      poses.add(new StampedPose(newest, each.pose() == null ? Pose.ORIGIN : each.pose()));
    }
    return poses;
  }
}
